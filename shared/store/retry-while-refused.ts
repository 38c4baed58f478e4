import { sleep } from "#shared/clock";
import { isRedisReply } from "./script.ts";

/** Error codes of a Redis that refuses writes for now: full, unable to save, a replica, or not ready. */
const REFUSALS = ["OOM", "MISCONF", "READONLY", "NOREPLICAS", "LOADING", "MASTERDOWN", "CLUSTERDOWN"];

const PAUSE_MS = 1000;

/** One of this many consecutive refusals is reported: about one in 10 s. */
const REPORTED_EVERY = 10;

/** Retries a write each second while Redis refuses. @param onRefused - For the first and each tenth. @throws Others. */
export async function retryWhileRefused<Result>(
  work: () => Promise<Result>,
  onRefused: (error: unknown) => void,
): Promise<Result> {
  for (let refusals = 0; ; refusals += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (refusals % REPORTED_EVERY === 0) onRefused(error);
      await sleep(PAUSE_MS);
    }
  }
}

function isRefusal(error: unknown): boolean {
  // The first word of a Redis error reply is its code.
  return (
    isRedisReply(error) && error instanceof Error && REFUSALS.includes(error.message.split(" ")[0] ?? "")
  );
}
