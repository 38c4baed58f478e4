import { sleep } from "#shared/clock";
import { isRedisReply } from "./script.ts";

/** Replies of a Redis that takes no writes for now: full, unable to save, a replica, or not yet in order. */
const REFUSALS = ["OOM", "MISCONF", "READONLY", "NOREPLICAS", "LOADING", "MASTERDOWN", "CLUSTERDOWN"];

const PAUSE_MS = 1000;

/** Refusals in a row of which one is reported: about one in 10 s. */
const REPORTED_EVERY = 10;

/**
 * Does something that a process writes as it starts, again each second for as long as Redis refuses writes. For ever: a
 * process that ended would only be started anew.
 *
 * @param onRefused - Hears the first refusal and every tenth after it.
 * @throws whatever else `work` throws.
 */
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
  // The first word of a reply is a protocol code.
  return (
    isRedisReply(error) && error instanceof Error && REFUSALS.includes(error.message.split(" ")[0] ?? "")
  );
}
