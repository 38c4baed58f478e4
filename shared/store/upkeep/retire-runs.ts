import { ENDED_STATUSES } from "../runs/run-record.ts";
import { forgetRuns } from "../scripts/upkeep.ts";
import type { Store } from "../store.ts";
import { redisNow } from "./redis-now.ts";

/** Runs looked at in one script, so that none holds Redis up. */
const PAGE = 500;

/** Scripts of one status in one round; the rest waits for the next. */
const PAGES_MAX = 200;

/**
 * Takes ended runs out of the lists once their records have aged out. A record ends by its own life in Redis; the lists
 * would name it for ever. What waits is never looked at, and the counts of the conservation equation are of all time:
 * they do not change.
 *
 * @returns how many it forgot.
 */
export async function retireRuns(store: Store): Promise<number> {
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
  // Runs that took long are older than their records' end: they are passed over.
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
