import { now } from "#shared/clock";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunRecord } from "#shared/store/runs";
import { UnauthorisedError } from "#shared/http";
import type { Gateway } from "../gateway.ts";
import type { Handler } from "../operation.ts";
import { viewRun } from "../runs/view-run.ts";
import { watchChanges } from "../runs/watch-changes.ts";
import { eventsOf, findRun } from "../tenancy/see-run.ts";
import type { Caller } from "../tenancy/may-see.ts";

export const showRun: Handler<"showRun"> = async ({ gateway, params, query, caller, signal, mayStill }) => {
  const record = await findRun(gateway, caller, params.run_id);
  const view = async (run: RunRecord) => viewRun(run, await eventsOf(gateway, caller, run));
  if (query.wait === 0 || ENDED_STATUSES.includes(record.status)) return view(record);
  const leave = gateway.waiters.enter(caller?.name ?? "");
  try {
    const untilMs = now() + query.wait * 1000;
    const last = await waitForEnd(gateway, record, { caller, untilMs, signal, mayStill });
    if (!mayStill()) throw new UnauthorisedError();
    return await view(last);
  } finally {
    leave();
  }
};

/** The run when it has ended, when the time is over, or when nobody waits any more or may. */
async function waitForEnd(
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
