import type { RedisClient } from "../script.ts";

/** The time by Redis' clock, in ms since the epoch: what lives by it ages by it. */
export async function redisNow(redis: RedisClient): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}
