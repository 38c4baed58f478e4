import type { Store } from "../store.ts";
import { queueName } from "./handoff-queues.ts";
import type { Job } from "./handoff-queues.ts";

/** Returns when the queue's next job was added, in ms since the epoch, a retry's delay included; null if none waits. */
export async function nextWaitingSinceMs(
  { awake }: Store,
  place: Pick<Job, "agent" | "lane">,
): Promise<number | null> {
  const found = await Promise.all(awake.map((shard) => nextIn(shard, place)));
  const times = found.filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

async function nextIn(store: Store, { agent, lane }: Pick<Job, "agent" | "lane">): Promise<number | null> {
  const queue = queueName(agent, lane);
  const key = (name: string): string => store.keys.job(queue, name);
  const [waiting, prioritized] = await Promise.all([
    store.redis.lindex(key("wait"), -1),
    store.redis.zrange(key("prioritized"), "0", "0"),
  ]);
  const ids = [waiting, ...prioritized].filter((id) => id !== null);
  const times = await Promise.all(ids.map((id) => store.redis.hget(key(id), "timestamp")));
  const known = times.filter((time) => time !== null).map(Number);
  return known.length === 0 ? null : Math.min(...known);
}
