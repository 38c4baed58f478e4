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

/**
 * Refuses data of another format before anything is read, because its messages would fail verification. Marks an
 * empty store with this release's format.
 *
 * @param store.isIsolated - True for a process that may only read the mark.
 * @throws {StoreUnfitError} Names the format found, and how to go on.
 */
export async function checkDataFormat(store: {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly isIsolated: boolean;
}): Promise<void> {
  const { redis, keys } = store;
  const found = await (store.isIsolated ? redis.get(keys.dataFormat()) : readMark(redis, keys));
  const format = found ?? (store.isIsolated ? null : await mark(redis, keys));
  if (format !== null && format !== String(DATA_FORMAT)) throw unfit(format);
}

/**
 * Reads both in one transaction: a process that starts at the same time marks the store before it registers its
 * agents.
 */
async function readMark(redis: RedisClient, keys: Keys): Promise<string | null> {
  const replies = await redis.multi().get(keys.dataFormat()).exists(keys.registry("agents")).exec();
  const [format, hasAgents] = replies?.map(([error, reply]) => {
    if (error !== null) throw error;
    return reply;
  }) ?? [null, 0];
  if (typeof format === "string") return format;
  return hasAgents === 1 ? BEFORE_VERSIONS : null;
}

/** Marks the store. Returns the mark; null if Redis is full. */
async function mark(redis: RedisClient, keys: Keys): Promise<string | null> {
  try {
    await redis.setnx(keys.dataFormat(), DATA_FORMAT);
  } catch (error) {
    if (!isRedisReply(error)) throw error;
  }
  return redis.get(keys.dataFormat());
}

function unfit(found: string): StoreUnfitError {
  const format = found.slice(0, 20);
  return new StoreUnfitError(
    `it holds data of format ${format}, and this release reads format ${DATA_FORMAT}`,
    "Let the release that wrote it finish its runs and end its cases, then start this one with another SUTURE_PREFIX or on an empty Redis (docs/operating/upgrades.md).",
  );
}
