import { now, sleep } from "#shared/clock";
import { NothingRunsError, refusedWith } from "../errors.ts";

const PAUSE_MS = 250;
/** A service that is killed again and again is waited for this long. */
const WITHIN_MS = 90_000;

/** Repeats work until it succeeds or `isPassing` denies that its failure passes. Only for what may be repeated. */
export async function persist<Value>(
  work: () => Promise<Value>,
  signal: AbortSignal,
  isPassing = isPassingRefusal,
): Promise<Value> {
  const untilMs = now() + WITHIN_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error) || now() > untilMs) throw error;
      await sleep(PAUSE_MS, signal);
    }
  }
}

/** As `persist`, whatever goes wrong: for reads while Redis or a service may be restarting. */
export function persistently<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  return persist(work, signal, () => true);
}

function isPassingRefusal(error: unknown): boolean {
  const status = refusedWith(error) ?? 0;
  return error instanceof NothingRunsError || status >= 500 || status === 429;
}
