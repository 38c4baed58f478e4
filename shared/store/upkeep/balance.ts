import { z } from "zod";
import type { RunCounts } from "../runs/run-record.ts";
import type { AuditReport } from "./read-audit.ts";

/** Both sides of the conservation equation. */
export const equationSchema = z
  .object({
    submitted: z.int(),
    completed: z.int(),
    failed: z.int(),
    cancelled: z.int(),
    expired: z.int(),
    waiting: z.int(),
    lost: z
      .int()
      .meta({ description: "Messages that runs wait for and nothing holds, as the audit counts." }),
    balanced: z.boolean().meta({ description: "Both sides agree, and nothing is lost." }),
    shards_away: z
      .int()
      .meta({ description: "Shards whose Redis does not answer: their runs are in no count and no list." }),
  })
  .meta({
    description: "Runs: submitted = completed + failed + cancelled + expired + waiting, at every instant.",
  });

/** Returns the number of runs that have not ended. */
export function waitingOf(counts: RunCounts): number {
  return counts.queued + counts.running + counts.in_ward + counts.quarantined;
}

/** Returns the conservation equation of one reading of the counters and of what the audit found. */
export function balance(
  counts: RunCounts,
  audit: Pick<AuditReport, "lost" | "differs" | "shardsAway">,
): z.output<typeof equationSchema> {
  const { submitted, completed, failed, cancelled, expired } = counts;
  const waiting = waitingOf(counts);
  const lost = audit.lost.length;
  const addsUp = submitted === completed + failed + cancelled + expired + waiting;
  const balanced = addsUp && lost === 0 && audit.differs.length === 0;
  const shards_away = audit.shardsAway;
  return { submitted, completed, failed, cancelled, expired, waiting, lost, balanced, shards_away };
}
