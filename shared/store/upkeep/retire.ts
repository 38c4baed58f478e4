import { queueName } from "../queues/handoff-queues.ts";
import type { Job } from "../queues/handoff-queues.ts";
import { ENDED_STATUSES } from "../runs/run-record.ts";
import { retireClaims as retireClaimsScript } from "../scripts/claims.ts";
import { sum } from "../store-part.ts";
import type { Store } from "../store.ts";
import { redisNow } from "../clock-skew.ts";

/** Runs looked at together, and how often for one list in a round. */
const RUNS_PAGE = 500;
const RUN_PAGES_MAX = 200;

/**
 * Removes ended runs from the lists once their records have expired. Records expire by themselves in Redis; list
 * entries do not. Leaves open runs alone, and the counts of the conservation equation, which are all-time totals.
 * @returns The number removed.
 */
export async function retireRuns({ shards }: Store): Promise<number> {
  return sum(await Promise.all(shards.map(retireShard)));
}

async function retireShard(store: Store): Promise<number> {
  const createdBefore = (await redisNow(store.redis)) - store.options.retentionMs;
  let forgotten = 0;
  for (const status of ENDED_STATUSES)
    forgotten += await retireIn(store, store.keys.runs(`index:${status}`), createdBefore);
  for (const tenant of await store.owners.tenants())
    await retireIn(store, store.keys.runsOf(tenant), createdBefore);
  await store.owners.closeGone();
  return forgotten;
}

async function retireIn({ redis, keys }: Store, index: string, createdBefore: number): Promise<number> {
  let forgotten = 0;
  // Runs that took long are older than their records' expiry; they are skipped.
  let passedOver = 0;
  for (let page = 0; page < RUN_PAGES_MAX; page += 1) {
    const ids = await redis.zrangebyscore(index, "-inf", createdBefore, "LIMIT", passedOver, RUNS_PAGE);
    const found = await Promise.all(ids.map((id: string) => redis.exists(keys.run(id))));
    const gone = ids.filter((_: string, at: number) => found[at] === 0);
    if (gone.length > 0)
      await Promise.all([keys.runs("index"), index].map((one) => redis.zrem(one, ...gone)));
    forgotten += gone.length;
    passedOver += ids.length - gone.length;
    if (ids.length < RUNS_PAGE) break;
  }
  return forgotten;
}

/** Jobs removed per call, because a call blocks Redis, and calls in a round. */
const JOBS_PAGE = 1000;
const JOB_PAGES_MAX = 50;

/** Removes finished jobs past the retention. @returns Their number. @param agent - Ignored for the lane `ward`. */
export async function retireJobs(store: Store, agent: string, lane: Job["lane"]): Promise<number> {
  const queue = store.queues.of(agent, lane);
  let removed = 0;
  for (let page = 0; page < JOB_PAGES_MAX; page += 1) {
    const ids = await queue.clean(store.options.retentionMs, JOBS_PAGE, "completed");
    removed += ids.length;
    if (ids.length < JOBS_PAGE) break;
  }
  return removed;
}

/** Claims looked at together, and how often for one agent in a round. */
const CLAIMS_PAGE = 500;
const CLAIM_PAGES_MAX = 20;

/**
 * Deletes claims of side effects that are older than the retention and whose runs have ended. A claim of an open run
 * stays, however old: a message that is released after weeks must still find that its refund was paid. It is checked
 * again one retention later.
 * @returns The number deleted.
 */
export async function retireClaims(store: Store, agent: string): Promise<number> {
  const index = store.keys.claims(agent);
  const cutoffMs = (await redisNow(store.redis)) - store.options.retentionMs;
  let forgotten = 0;
  for (let page = 0; page < CLAIM_PAGES_MAX; page += 1) {
    const claims = await store.redis.zrangebyscore(index, "-inf", cutoffMs, "LIMIT", 0, CLAIMS_PAGE);
    if (claims.length === 0) break;
    const goOn = await Promise.all(claims.map((claim) => belongsToOpenRun(store, claim)));
    forgotten += await retireClaimsScript.run(store.redis, {
      index,
      touches: claims,
      cutoffMs,
      claims: claims.map((key, i) => ({ key, goesOn: goOn[i] === true })),
    });
    if (claims.length < CLAIMS_PAGE) break;
  }
  return forgotten;
}

async function belongsToOpenRun(store: Store, claim: string): Promise<boolean> {
  const runId = await store.redis.hget(claim, "run_id");
  if (runId === null || runId === "") return false;
  // A claim of a whole agent may belong to a run of another shard.
  const { redis, keys } = store.whole.ofRun(runId);
  const status = await redis.hget(keys.run(runId), "status");
  return status !== null && !ENDED_STATUSES.some((ended) => ended === status);
}

/** Maximum agents handled in one round. */
const AGENTS_MAX = 20;

const LANES = ["fresh", "retry"] as const;

/** Lists of a queue that hold jobs, in any state. */
const LISTS = ["wait", "paused", "active", "delayed", "prioritized", "failed", "completed"];

/**
 * Deletes expired finished jobs and claims of agents without a live process; live processes do so for their own agents.
 * Leaves waiting jobs alone. Deletes the record of an agent of which nothing is left, and that had no process within
 * the retention.
 * @param round - Number of the round, so that every agent gets its turn.
 * @throws The first error, after the other agents were handled: with Redis ACLs an agent of an unloaded team may be out
 * of reach.
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
