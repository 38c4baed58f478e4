import { retryQueueOf, WARD_QUEUE } from "../keys.ts";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";

/** A key of a queue that does not have the type BullMQ needs, so that the queue cannot be used. */
export interface QueueDamage {
  /** `refunds`, `refunds.retry` or `ward`. */
  readonly queue: string;
  /** Name of the key in its queue: `wait`, `meta`. */
  readonly key: string;
  /** Type that Redis reports. */
  readonly found: string;
  readonly needed: string;
}

/** Types of BullMQ's keys. */
const TYPES: Readonly<Record<string, string>> = {
  wait: "list",
  paused: "list",
  active: "list",
  prioritized: "zset",
  delayed: "zset",
  completed: "zset",
  failed: "zset",
  marker: "zset",
  meta: "hash",
  events: "stream",
  stalled: "set",
};

/** Returns the damaged keys of both queues of an agent, or of the surgeon's queue for `ward`. One round trip. */
export async function findQueueDamage(redis: RedisClient, keys: Keys, agent: string): Promise<QueueDamage[]> {
  const queues = agent === WARD_QUEUE ? [WARD_QUEUE] : [agent, retryQueueOf(agent)];
  const looked = queues.flatMap((queue) =>
    Object.entries(TYPES).map(([key, needed]) => ({ queue, key, needed })),
  );
  // All keys share the agent's hash tag, and so a node.
  const pipeline = redis.pipeline();
  for (const { queue, key } of looked) pipeline.type(keys.job(queue, key));
  const replies = (await pipeline.exec()) ?? [];
  return looked.flatMap((one, i) => {
    const [error, reply] = replies[i] ?? [];
    if (error instanceof Error) throw error;
    const found = String(reply);
    return found === one.needed || found === "none" ? [] : [{ ...one, found }];
  });
}

/** Describes the damage in words. */
export function describeDamage({ queue, key, found, needed }: QueueDamage): string {
  return `the key ${key} of queue ${queue} is a ${found}, not a ${needed}`;
}
