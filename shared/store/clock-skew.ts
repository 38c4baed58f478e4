import type { Redis } from "ioredis";
import { correctClock, now, wallNow } from "#shared/clock";
import { mastersOf } from "./masters.ts";
import type { RedisClient } from "./script.ts";

/** Returns Redis time, in ms since the epoch, by which stored data ages. */
export async function redisNow(redis: RedisClient): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}

/** Maximum clock skew, in ms. With more, expiry and retention are unreliable. */
export const CLOCK_SKEW_MS_MAX = 2000;

/**
 * Measures the skew to Redis' clock, and follows that by this process's monotonic clock, unless the skew exceeds
 * `CLOCK_SKEW_MS_MAX`: one of the two is wrong then. Kills a script over its time. Of several masters it reports the
 * largest skew and follows the median. @returns How far Redis is ahead, in ms; negative if it is behind.
 */
export async function compareClocks(redis: RedisClient): Promise<number> {
  const skews = await Promise.all(
    mastersOf(redis).map(async (node) => {
      const before = { own: now(), wall: wallNow() };
      const redisMs = await timeOf(node);
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

/** Asks a server for its time; kills a script over `lua-time-limit` (BUSY). @throws `UNKILLABLE` if it has written. */
async function timeOf(node: Redis): Promise<number> {
  try {
    return await redisNow(node);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("BUSY ")) await node.script("KILL");
    throw error;
  }
}

/** Returns the distance of an instant from a time span. */
function apart(atMs: number, fromMs: number, toMs: number): number {
  return atMs < fromMs ? atMs - fromMs : Math.max(0, atMs - toMs);
}
