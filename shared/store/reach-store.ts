import { sleep } from "#shared/clock";
import { StoreUnavailableError } from "./errors.ts";
import type { Store } from "./store.ts";

const ANSWER_WITHIN_MS = 1000;

/** Whether Redis answers now, within a second. Never throws. */
export async function canReachStore(store: Store): Promise<boolean> {
  if (store.redis.status !== "ready") return false;
  const giveUp = new AbortController();
  const answer = Promise.all(store.awake.map(({ runs }) => runs.counts())).then(
    () => true,
    () => false,
  );
  const timeout = sleep(ANSWER_WITHIN_MS, giveUp.signal).then(
    () => false,
    () => false,
  );
  const canReach = await Promise.race([answer, timeout]);
  giveUp.abort();
  return canReach;
}

/**
 * Explains an error of unknown cause to whoever answers a request: that the store is away, or the same error. A client
 * library's error says by text only that Redis is away, so Redis itself is asked, unless it has just been waited for.
 */
export async function explainFailure(store: Store, error: unknown): Promise<unknown> {
  return !isTimeout(error) && (await canReachStore(store))
    ? error
    : new StoreUnavailableError("answering a request", error);
}

/** ioredis has no class for it. */
function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Command timed out";
}
