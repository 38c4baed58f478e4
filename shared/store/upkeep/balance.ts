import type { RunCounts } from "../runs/run-record.ts";
import type { AuditReport } from "./read-audit.ts";

/** Both sides of the conservation equation. Counts are runs. */
export interface Equation {
  readonly submitted: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly expired: number;
  readonly waiting: number;
  /** Messages that runs wait for and nothing holds, as the audit of the gateway counts. */
  readonly lost: number;
  readonly balanced: boolean;
  /** Shards whose Redis does not answer: their runs are in no count. */
  readonly shards_away: number;
}

/** Returns the number of runs that have not ended. */
export function waitingOf(counts: RunCounts): number {
  return counts.queued + counts.running + counts.in_ward + counts.quarantined;
}

/** Returns the conservation equation of one reading of the counters and of what the audit found. */
export function balance(
  counts: RunCounts,
  audit: Pick<AuditReport, "lost" | "differs" | "shardsAway">,
): Equation {
  const { submitted, completed, failed, cancelled, expired } = counts;
  const waiting = waitingOf(counts);
  const lost = audit.lost.length;
  const addsUp = submitted === completed + failed + cancelled + expired + waiting;
  const balanced = addsUp && lost === 0 && audit.differs.length === 0;
  const shards_away = audit.shardsAway;
  return { submitted, completed, failed, cancelled, expired, waiting, lost, balanced, shards_away };
}
