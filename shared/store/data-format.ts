import { sleep } from "#shared/clock";
import { StoreUnfitError } from "./errors.ts";
import type { Keys } from "./keys.ts";
import { isRedisReply } from "./script.ts";
import type { RedisClient } from "./script.ts";
import type { Store } from "./store.ts";

/**
 * Data format version of this release: keys, seals, signed records and script data. Raise it with every change that
 * another release would misread. Releases with the same format may run side by side.
 */
export const DATA_FORMAT = 3;

/** Format of a store without a version mark. Releases before 0.2 wrote none. */
const BEFORE_VERSIONS = "1";

/** Longest wait of a start for the shards beside the first, in ms; one that is away then is checked when it answers. */
const SHARDS_WITHIN_MS = 5000;

/**
 * Refuses data of another format before anything is read, because its messages would fail verification. Marks an empty
 * store with this release's format, unless Redis is full. While a shard other than the first is away it is not among
 * those that are `awake`, and the others work; one that turns out unfit later is told to `onError`, and left out.
 * @throws {StoreUnfitError} Names the format found, and how to go on.
 */
export async function checkDataFormat(store: Store): Promise<void> {
  const others = store.shards.slice(1);
  for (const shard of others) shard.isUnchecked = true;
  await unlessRefused(() => markDataFormat(store));
  const isStarting = new AbortController();
  const checks = others.map(async (shard) => {
    try {
      await whenReady(shard.redis);
      await unlessRefused(() => markShard(shard, store));
      shard.isUnchecked = false;
    } catch (error) {
      if (!isStarting.signal.aborted || !(error instanceof Error)) throw error;
      shard.options.onError(error);
    }
  });
  try {
    await Promise.race([Promise.all(checks), sleep(SHARDS_WITHIN_MS, isStarting.signal)]);
  } finally {
    isStarting.abort();
  }
}

function whenReady(redis: RedisClient): Promise<void> {
  if (redis.status === "ready") return Promise.resolve();
  return new Promise((resolve) => void redis.once("ready", () => resolve()));
}

/** A Redis that takes no writes is not marked now. */
async function unlessRefused(mark: () => Promise<void>): Promise<void> {
  try {
    await mark();
  } catch (error) {
    if (!isRedisReply(error)) throw error;
  }
}

/**
 * As `checkDataFormat` of the first shard, for a process that is about to register agents: a full Redis is an error,
 * because a store with agents and without a mark counts as written before 0.2.
 * @throws {StoreUnfitError}
 * @throws the refusal of Redis.
 */
export async function markDataFormat(store: Store): Promise<void> {
  const { redis, keys, shards } = store;
  await markFormat(store);
  await markShard(store, store);
  const counts = (await redis.hkeys(keys.registry("shards"))).map(Number);
  if (Math.max(0, ...counts) > shards.length)
    throw new StoreUnfitError(
      `its runs are placed in ${Math.max(...counts)} shards, and this process knows ${shards.length}`,
      SHARDS_REMEDY,
    );
}

const SHARDS_REMEDY =
  "Give every process the same SUTURE_REDIS_URLS and SUTURE_SHARDS, in the same order; shards are only added, at the end.";

/** Remembers which shard a Redis is, so that a list in another order is refused before anything is looked for there. */
async function markShard({ redis, keys }: Store, whole: Store): Promise<void> {
  // On a cluster all shards lie on the same Redis, which is marked as the first.
  if (redis === whole.redis && keys !== whole.keys) return;
  await markFormat({ redis, keys });
  await redis.setnx(keys.registry("shard"), keys.shard);
  const marked = await redis.get(keys.registry("shard"));
  if (marked !== null && marked !== String(keys.shard))
    throw new StoreUnfitError(
      `it is shard ${marked.slice(0, 3)}, and is named as shard ${keys.shard}`,
      SHARDS_REMEDY,
    );
}

async function markFormat({ redis, keys }: Pick<Store, "redis" | "keys">): Promise<void> {
  const found = await readFormat(redis, keys);
  if (found !== null && found !== String(DATA_FORMAT)) throw unfit(found);
  if (found !== null) return;
  // Another process may have marked the store in between.
  await redis.setnx(keys.dataFormat(), DATA_FORMAT);
  const marked = await redis.get(keys.dataFormat());
  if (marked !== null && marked !== String(DATA_FORMAT)) throw unfit(marked);
}

/** Reads the agents before the mark: a process that starts at the same time marks the store before it registers. */
async function readFormat(redis: RedisClient, keys: Keys): Promise<string | null> {
  const hasAgents = (await redis.exists(keys.registry("agents"))) === 1;
  return (await redis.get(keys.dataFormat())) ?? (hasAgents ? BEFORE_VERSIONS : null);
}

function unfit(found: string): StoreUnfitError {
  const format = found.slice(0, 20);
  return new StoreUnfitError(
    `it holds data of format ${format}, and this release reads format ${DATA_FORMAT}`,
    "Let the release that wrote it finish its runs and end its cases, then start this one with another SUTURE_PREFIX or on an empty Redis (docs/operating/upgrades.md).",
  );
}
