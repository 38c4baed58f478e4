import { queueName } from "../queues/handoff-queues.ts";
import type { Store } from "../store.ts";
import { redisNow } from "./redis-now.ts";
import { retireClaims } from "./retire-claims.ts";
import { retireJobs } from "./retire-jobs.ts";

/** Agents looked after in one round; the rest waits for the next. */
const AGENTS_MAX = 20;

const LANES = ["fresh", "retry"] as const;

/** Lists of a queue that hold jobs, in whatever state. */
const LISTS = ["wait", "paused", "active", "delayed", "prioritized", "failed", "completed"];

/**
 * Deletes finished jobs and claims of side effects that have reached their age for agents that no process works for any
 * more: each process does so only for its own. Nothing that waits is touched. An agent of which nothing is left, and
 * that was not worked for within the retention, is forgotten.
 *
 * @param round - Counts the rounds, so that every agent has its turn.
 * @throws the first error, after the others had their turn: where users of Redis are told apart, one of a team that is
 * loaded no more may be out of reach.
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
  for (const lane of LANES) await retireJobs(store, agent, lane);
  await retireClaims(store, agent);
  const isOld = (await redisNow(store.redis)) - seenMs > store.options.retentionMs;
  if (isOld && !(await isAnythingLeft(store, agent))) await store.registry.forget(agent);
}

async function isAnythingLeft({ redis, keys }: Store, agent: string): Promise<boolean> {
  const lists = LANES.flatMap((lane) => LISTS.map((name) => keys.job(agent, queueName(agent, lane), name)));
  return (await redis.exists(keys.claims(agent), keys.outbox(agent), ...lists)) > 0;
}
