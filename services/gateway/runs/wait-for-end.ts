import { now } from "#shared/clock";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunRecord } from "#shared/store/runs";
import type { Gateway } from "../gateway.ts";
import type { Caller } from "../tenancy/may-see.ts";
import { findRun } from "../tenancy/see-run.ts";
import { watchChanges } from "./watch-changes.ts";

/** Returns a run when it has ended, when the time is over, or when its reader is gone or may not see it any more. */
export async function waitForEnd(
  gateway: Gateway,
  seen: RunRecord,
  wait: {
    readonly caller: Caller;
    readonly untilMs: number;
    readonly signal: AbortSignal;
    readonly mayStill: () => boolean;
  },
): Promise<RunRecord> {
  const bell = watchChanges(gateway, seen.run_id);
  let record = seen;
  try {
    for (;;) {
      record = await findRun(gateway, wait.caller, seen.run_id);
      const leftMs = wait.untilMs - now();
      const isOver = leftMs <= 0 || wait.signal.aborted || !wait.mayStill();
      if (ENDED_STATUSES.includes(record.status) || isOver) return record;
      await bell.wait(Math.min(leftMs, gateway.bounds.recheckEveryMs), wait.signal);
    }
  } finally {
    bell.stop();
  }
}
