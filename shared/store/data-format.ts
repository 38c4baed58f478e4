import { StoreUnfitError } from "./errors.ts";
import type { Keys } from "./keys.ts";
import { isRedisReply } from "./script.ts";
import type { RedisClient } from "./script.ts";

/**
 * Data format version of this release: keys, seals, signed records and script data. Raise it with every change that
 * another release would misread. Releases with the same format may run side by side.
 */
export const DATA_FORMAT = 2;

/** Format of a store without a version mark. Releases before 0.2 wrote none. */
const BEFORE_VERSIONS = "1";

/** What the check needs of a store. */
interface MarkedStore {
  readonly redis: RedisClient;
  readonly keys: Keys;
}

/**
 * Refuses data of another format before anything is read, because its messages would fail verification. Marks an
 * empty store with this release's format, unless Redis is full.
 *
 * @throws {StoreUnfitError} Names the format found, and how to go on.
 */
export async function checkDataFormat(store: MarkedStore): Promise<void> {
  try {
    await markDataFormat(store);
  } catch (error) {
    if (!isRedisReply(error)) throw error;
  }
}

/**
 * As `checkDataFormat`, for a process that is about to register agents: a full Redis is an error, because a store with
 * agents and without a mark counts as written before 0.2.
 *
 * @throws {StoreUnfitError}
 * @throws the refusal of Redis.
 */
export async function markDataFormat({ redis, keys }: MarkedStore): Promise<void> {
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
