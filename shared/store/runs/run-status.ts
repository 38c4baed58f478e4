import type { RunStatus } from "./run-record.ts";

/** Messages of a run by state, and how often it was told of each bad end. */
export interface RunCountsNow {
  readonly open: number;
  readonly inWard: number;
  readonly quarantined: number;
  readonly cancelled: number;
  readonly failed: number;
  readonly expired: number;
}

/**
 * Decides a run's status. A run with messages goes on, whatever ends it was told of; without any it has ended, and the
 * worst reason counts: cancelled before failed before expired.
 *
 * `run-status.lua` is this in Lua, where the decision is made; a property test compares the two.
 *
 * @param isStarted - An agent has begun with it, as what was told just now says.
 */
export function runStatus(before: RunStatus, counts: RunCountsNow, isStarted: boolean): RunStatus {
  if (counts.open > 0) return isStarted || before !== "queued" ? "running" : "queued";
  if (counts.inWard > 0) return "in_ward";
  if (counts.quarantined > 0) return "quarantined";
  if (counts.cancelled > 0) return "cancelled";
  if (counts.failed > 0) return "failed";
  return counts.expired > 0 ? "expired" : "completed";
}
