import type { RedisClient } from "../script.ts";

/** Returns Redis time, in ms since the epoch, by which stored data ages. */
export async function redisNow(redis: RedisClient): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
}
