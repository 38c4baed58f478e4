import type { RunCounts } from "#shared/store/runs";
import type { AuditReport } from "#shared/store/upkeep";
import type { Stats } from "./health.ts";

/** Runs that have not ended, by the counters. Pure. */
export function waitingOf(counts: RunCounts): number {
  return counts.queued + counts.running + counts.in_ward + counts.quarantined;
}

/** Both sides of the conservation equation: the counters', and what the audit found to be there. Pure. */
export function balance(counts: RunCounts, audit: Pick<AuditReport, "lost" | "differs">): Stats["equation"] {
  const { submitted, completed, failed, cancelled, expired } = counts;
  const waiting = waitingOf(counts);
  const lost = audit.lost.length;
  const addsUp = submitted === completed + failed + cancelled + expired + waiting;
  const balanced = addsUp && lost === 0 && audit.differs.length === 0;
  return { submitted, completed, failed, cancelled, expired, waiting, lost, balanced };
}
