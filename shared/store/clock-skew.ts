import type { Redis } from "ioredis";
import { correctClock, now, wallNow } from "#shared/clock";
import { mastersOf } from "./masters.ts";
import type { RedisClient } from "./script.ts";

/** Maximum clock skew, in ms. With more, expiry and retention are unreliable. */
export const CLOCK_SKEW_MS_MAX = 2000;

/**
 * Measures the clock skew to Redis, and follows the Redis clock with this process's monotonic clock. Does not follow
 * while the skew exceeds `CLOCK_SKEW_MS_MAX`, because it is unknown which of the two clocks is wrong.
 *
 * Kills a script that runs over its time. Round-trip time is not counted. With several masters it reports the largest
 * skew and follows the median.
 *
 * @returns How far the Redis clock is ahead of the machine's, in ms; negative if it is behind.
 */
export async function compareClocks(redis: RedisClient): Promise<number> {
  const skews = await Promise.all(
    mastersOf(redis).map(async (node) => {
      const before = { own: now(), wall: wallNow() };
      const [seconds, micros] = await timeOf(node);
      const redisMs = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
      return {
        own: apart(redisMs, before.own, now()),
        wall: apart(redisMs, before.wall, wallNow()),
      };
    }),
  );
  const wallMs = skews.reduce((worst, { wall }) => (Math.abs(wall) > Math.abs(worst) ? wall : worst), 0);
  const own = skews.map((skew) => skew.own).toSorted((a, b) => a - b);
  if (Math.abs(wallMs) <= CLOCK_SKEW_MS_MAX) correctClock(own[Math.floor(own.length / 2)] ?? 0);
  return wallMs;
}

/**
 * Asks a server for its time. One that answers BUSY runs a script for longer than its `lua-time-limit`, and nobody
 * else is served until it ends: kills that script.
 *
 * @throws The refusal; `UNKILLABLE` of a script that has written.
 */
async function timeOf(node: Redis): ReturnType<Redis["time"]> {
  try {
    return await node.time();
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("BUSY ")) await node.script("KILL");
    throw error;
  }
}

/** Returns the distance of an instant from a time span. */
function apart(atMs: number, fromMs: number, toMs: number): number {
  return atMs < fromMs ? atMs - fromMs : Math.max(0, atMs - toMs);
}
