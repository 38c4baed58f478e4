import { now } from "#shared/clock";
import type { Store } from "../store.ts";

/** BullMQ stores the time of a delayed job in the upper bits of its score. */
const DELAYED_SCORE_PER_MS = 0x1000;

/**
 * Returns the number of jobs that a healthy worker would take at once, including delayed ones that are due. 0 while a
 * person has paused the queue.
 *
 * @throws {Error} Redis did not answer.
 */
export async function countFetchable(
  store: Store,
  { slot, queue }: { readonly slot: string; readonly queue: string },
): Promise<number> {
  const key = (name: string): string => store.keys.job(slot, queue, name);
  const [waiting, prioritized, due, isPaused] = await Promise.all([
    store.redis.llen(key("wait")),
    store.redis.zcard(key("prioritized")),
    store.redis.zcount(key("delayed"), "-inf", now() * DELAYED_SCORE_PER_MS),
    store.redis.hexists(key("meta"), "paused"),
  ]);
  return isPaused === 1 ? 0 : waiting + prioritized + due;
}
