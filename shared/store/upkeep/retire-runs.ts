import { ENDED_STATUSES } from "../runs/run-record.ts";
import { forgetRuns } from "../scripts/upkeep.ts";
import type { Store } from "../store.ts";
import { redisNow } from "./redis-now.ts";

/** Runs per script, because a script blocks Redis. */
const PAGE = 500;

/** Maximum scripts per status and round. */
const PAGES_MAX = 200;

/**
 * Removes ended runs from the lists once their records have expired. Records expire by themselves in Redis; list
 * entries do not. Leaves open runs alone, and the counts of the conservation equation, which are all-time totals.
 *
 * @returns The number removed.
 */
export async function retireRuns({ shards }: Store): Promise<number> {
  const forgotten = await Promise.all(shards.map(retireShard));
  return forgotten.reduce((sum, one) => sum + one, 0);
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

async function retireIn(store: Store, index: string, createdBefore: number): Promise<number> {
  let forgotten = 0;
  // Runs that took long are older than their records' expiry; they are skipped.
  let passedOver = 0;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const reply = await forgetRuns.run(store.redis, {
      indexOfAll: store.keys.runs("index"),
      index,
      runBase: store.keys.run(""),
      createdBeforeMs: createdBefore,
      offset: passedOver,
      limit: PAGE,
    });
    forgotten += reply.forgotten;
    passedOver += reply.looked - reply.forgotten;
    if (reply.looked < PAGE) break;
  }
  return forgotten;
}
