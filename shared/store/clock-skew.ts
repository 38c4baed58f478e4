import { now } from "#shared/clock";
import { mastersOf } from "./masters.ts";
import type { RedisClient } from "./script.ts";

/** Clocks further apart than this make expiry and retention lie. */
export const CLOCK_SKEW_MS_MAX = 2000;

/**
 * How far Redis' clock is ahead of this machine's, in ms; below 0 if it is behind. What the question itself took is not
 * counted. Of several masters the one that is furthest off counts.
 */
export async function measureClockSkew(redis: RedisClient): Promise<number> {
  const skews = await Promise.all(
    mastersOf(redis).map(async (node) => {
      const before = now();
      const [seconds, micros] = await node.time();
      const redisMs = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
      return redisMs < before ? redisMs - before : Math.max(0, redisMs - now());
    }),
  );
  return skews.reduce((worst, skew) => (Math.abs(skew) > Math.abs(worst) ? skew : worst), 0);
}
