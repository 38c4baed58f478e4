import type { Job } from "../queues/handoff-queues.ts";
import type { Store } from "../store.ts";

/** Jobs removed per call, because a call blocks Redis. */
const PAGE = 1000;

/** Maximum calls per round. */
const PAGES_MAX = 50;

/**
 * Removes finished jobs older than the retention, which BullMQ does only as others end. @returns The number removed.
 * @param agent - Ignored for the lane `ward`.
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
