import { queueName } from "../queues/handoff-queues.ts";
import type { Store } from "../store.ts";
import { redisNow } from "./redis-now.ts";
import { retireClaims } from "./retire-claims.ts";
import { retireJobs } from "./retire-jobs.ts";

/** Maximum agents handled in one round. */
const AGENTS_MAX = 20;

const LANES = ["fresh", "retry"] as const;

/** Lists of a queue that hold jobs, in any state. */
const LISTS = ["wait", "paused", "active", "delayed", "prioritized", "failed", "completed"];

/**
 * Deletes expired finished jobs and claims of agents without a live process; live processes do so for their own
 * agents. Leaves waiting jobs alone. Deletes the record of an agent of which nothing is left, and that had no process
 * within the retention.
 *
 * @param round - Number of the round, so that every agent gets its turn.
 * @throws The first error, after the other agents were handled: with Redis ACLs an agent of an unloaded team may be
 * out of reach.
 */
export async function retireAbsent(store: Store, round: number): Promise<void> {
  const absent = [...(await store.registry.absent())];
  const pages = Math.max(1, Math.ceil(absent.length / AGENTS_MAX));
  const from = (round % pages) * AGENTS_MAX;
  const failures: unknown[] = [];
  for (const [agent, seenMs] of absent.slice(from, from + AGENTS_MAX))
    await retireAgent(store, agent, seenMs).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}

async function retireAgent(store: Store, agent: string, seenMs: number): Promise<void> {
  for (const shard of store.shards) {
    for (const lane of LANES) await retireJobs(shard, agent, lane);
    await retireClaims(shard, agent);
  }
  const isOld = (await redisNow(store.redis)) - seenMs > store.options.retentionMs;
  if (!isOld) return;
  const left = await Promise.all(store.shards.map((shard) => isAnythingLeft(shard, agent)));
  if (!left.includes(true)) await store.registry.forget(agent);
}

async function isAnythingLeft({ redis, keys }: Store, agent: string): Promise<boolean> {
  const lists = LANES.flatMap((lane) => LISTS.map((name) => keys.job(queueName(agent, lane), name)));
  return (await redis.exists(keys.claims(agent), ...lists)) > 0;
}
