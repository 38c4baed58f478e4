import { ENDED_STATUSES } from "../runs/run-record.ts";
import { retireClaims as retireClaimsScript } from "../scripts/upkeep.ts";
import type { Store } from "../store.ts";
import { redisNow } from "./redis-now.ts";

const PAGE = 500;

/** Maximum pages per round. */
const PAGES_MAX = 20;

/**
 * Deletes claims of side effects that are older than the retention and whose runs have ended. A claim of an open run
 * stays, however old: a message that is released after weeks must still find that its refund was paid. It is checked
 * again one retention later.
 *
 * @returns The number deleted.
 */
export async function retireClaims(store: Store, agent: string): Promise<number> {
  const index = store.keys.claims(agent);
  const cutoffMs = (await redisNow(store.redis)) - store.options.retentionMs;
  let forgotten = 0;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const claims = await store.redis.zrangebyscore(index, "-inf", cutoffMs, "LIMIT", 0, PAGE);
    if (claims.length === 0) break;
    const goOn = await Promise.all(claims.map((claim) => belongsToOpenRun(store, claim)));
    forgotten += await retireClaimsScript.run(store.redis, {
      index,
      touches: claims,
      cutoffMs,
      claims: claims.map((key, i) => ({ key, goesOn: goOn[i] === true })),
    });
    if (claims.length < PAGE) break;
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
