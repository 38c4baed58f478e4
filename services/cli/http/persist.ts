import { now, sleep } from "#shared/clock";
import { NothingRunsError, RequestRefusedError } from "../errors.ts";

const PAUSE_MS = 250;
/** A service that is killed again and again is waited for this long. */
const WITHIN_MS = 90_000;

/**
 * Tries until it works: a service that was killed is back in a moment, a full one has room in a moment. Only for what
 * may be repeated.
 */
export function persist<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  return retry(work, signal, isPassing);
}

/** As `persist`, whatever goes wrong: for reads while Redis or a service may be restarting. */
export function persistently<Value>(work: () => Promise<Value>, signal: AbortSignal): Promise<Value> {
  return retry(work, signal, () => true);
}

async function retry<Value>(
  work: () => Promise<Value>,
  signal: AbortSignal,
  isRetried: (error: unknown) => boolean,
): Promise<Value> {
  const untilMs = now() + WITHIN_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isRetried(error) || now() > untilMs) throw error;
      await sleep(PAUSE_MS, signal);
    }
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof NothingRunsError) return true;
  return error instanceof RequestRefusedError && (error.status >= 500 || error.status === 429);
}
