import { correctClock, now, wallNow } from "#shared/clock";
import { mastersOf } from "./masters.ts";
import type { RedisClient } from "./script.ts";

/** Clocks further apart than this make expiry and retention lie. */
export const CLOCK_SKEW_MS_MAX = 2000;

/**
 * Compares this machine's clock with that of Redis, and sets the clock by which this process stamps and judges, which
 * only runs, by Redis'. It is left as it is while the machine's own is further off than `CLOCK_SKEW_MS_MAX`: which of
 * the two was set anew cannot be known.
 *
 * What the question itself took is not counted. Of several masters the one furthest off is reported, and the one in the
 * middle is followed.
 *
 * @returns how far Redis' clock is ahead of the machine's, in ms; below 0 if it is behind.
 */
export async function compareClocks(redis: RedisClient): Promise<number> {
  const skews = await Promise.all(
    mastersOf(redis).map(async (node) => {
      const before = { own: now(), wall: wallNow() };
      const [seconds, micros] = await node.time();
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

/** How far an instant lies outside of a span. */
function apart(atMs: number, fromMs: number, toMs: number): number {
  return atMs < fromMs ? atMs - fromMs : Math.max(0, atMs - toMs);
}
