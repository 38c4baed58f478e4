import type { Job } from "../queues/handoff-queues.ts";
import type { Store } from "../store.ts";

/** Jobs removed in one call of the engine, so that none holds Redis up. */
const PAGE = 1000;

/** Calls in one round; the rest waits for the next. */
const PAGES_MAX = 50;

/**
 * Removes finished jobs that are older than the retention. The engine does so only when another job of the same queue
 * ends, so that a queue that fell silent would keep its last ones for ever. Their outcomes are in the ledger.
 *
 * @param agent - Not looked at for the lane `ward`.
 * @returns how many it removed.
 */
export async function retireJobs(store: Store, agent: string, lane: Job["lane"]): Promise<number> {
  const queue = store.queues.of(agent, lane);
  let removed = 0;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const ids = await queue.clean(store.options.retentionMs, PAGE, "completed");
    removed += ids.length;
    if (ids.length < PAGE) break;
  }
  return removed;
}
