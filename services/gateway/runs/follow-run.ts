import { followSignals, now, sleep } from "#shared/clock";
import { ENDED_STATUSES } from "#shared/store/runs";
import type { RunEvent, RunRecord } from "#shared/store/runs";
import type { Gateway, GatewayCall } from "../gateway.ts";
import { takeWaitingPlace } from "../guards/guard-requests.ts";
import { eventsPage, findRun } from "../tenancy/see-run.ts";

type FollowingCall = Pick<GatewayCall, "gateway" | "caller" | "signal" | "mayStill">;

/** Waits for a run's end, as `followRun` follows its events. @throws {TooManyWaitersError} */
export async function waitForEnd(call: FollowingCall, runId: string, forMs: number): Promise<void> {
  const leave = takeWaitingPlace(call.gateway, call.caller);
  await followRun(call, { runId, from: null, forMs }, () => null)
    .next()
    .finally(leave);
}

/** Yields what `write` makes of each event, `from` one (null: none). @returns The ended run. @throws {NotFoundError} */
export async function* followRun<Item>(
  call: FollowingCall,
  follow: { readonly runId: string; readonly from: number | null; readonly forMs: number },
  write: (event: RunEvent, run: RunRecord, position: number) => Item,
): AsyncGenerator<Item, RunRecord | null, undefined> {
  const { gateway, caller, signal, mayStill } = call;
  const { recheckEveryMs, eventsPage: limit } = gateway.bounds;
  const bell = watchChanges(gateway, follow.runId);
  const untilMs = now() + follow.forMs;
  let from = follow.from ?? 0;
  try {
    while (!signal.aborted && mayStill() && now() < untilMs) {
      // Read before the events: of a run that has ended every event is there.
      const run = await findRun(gateway, caller, follow.runId);
      const events = follow.from === null ? [] : await eventsPage(gateway, caller, { run, from, limit });
      for (const event of events) yield write(event, run, from++);
      if (events.length > 0) continue;
      if (ENDED_STATUSES.includes(run.status)) return run;
      await bell.wait(Math.min(recheckEveryMs, untilMs - now()), signal);
    }
    return null;
  } finally {
    bell.stop();
  }
}

/** Rings at every change of one run, and remembers a ring that nobody waited for. */
interface ChangeBell {
  /** Resolves at the next ring (at once if one was missed), after `timeoutMs`, or when the signal is aborted. */
  wait(timeoutMs: number, signal: AbortSignal): Promise<void>;
  /** Ends the watch. */
  stop(): void;
}

/** Watches a run from now on. Nobody waits for the subscription: waiting requests also look at the run themselves. */
export function watchChanges(gateway: Gateway, runId: string): ChangeBell {
  let rung = new AbortController();
  const watch = gateway.watcher.watch(runId, () => rung.abort());
  watch.catch((error: unknown) =>
    gateway.logger.debug({ err: error }, "a run is not watched, only looked at"),
  );
  return {
    async wait(timeoutMs, signal) {
      const either = followSignals([signal, rung.signal]);
      await sleep(timeoutMs, either.signal).catch(() => undefined);
      either.letGo();
      rung = new AbortController();
    },
    stop() {
      watch.then((stop) => stop()).catch(() => undefined);
    },
  };
}
