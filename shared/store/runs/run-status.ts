import type { RunStatus } from "./run-record.ts";

/** Messages of a run by state, and how often each bad end was reported. */
export interface RunCountsNow {
  readonly open: number;
  readonly inWard: number;
  readonly quarantined: number;
  readonly cancelled: number;
  readonly failed: number;
  readonly expired: number;
}

/**
 * Returns a run's status. A run with messages continues, whatever ends were reported. Without any it has ended, by
 * the worst reason: cancelled, then failed, then expired.
 *
 * `run-status.lua` implements the same rules, and makes the decision; a property test compares the two.
 *
 * @param isStarted - An agent has started it, as the present change reports.
 */
export function runStatus(before: RunStatus, counts: RunCountsNow, isStarted: boolean): RunStatus {
  if (counts.open > 0) return isStarted || before !== "queued" ? "running" : "queued";
  if (counts.inWard > 0) return "in_ward";
  if (counts.quarantined > 0) return "quarantined";
  if (counts.cancelled > 0) return "cancelled";
  if (counts.failed > 0) return "failed";
  return counts.expired > 0 ? "expired" : "completed";
}
