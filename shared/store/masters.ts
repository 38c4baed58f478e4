import { Cluster } from "ioredis";
import type { Redis } from "ioredis";
import type { RedisClient } from "./script.ts";

/** Returns the servers that take writes: the single one, or every master of a cluster. */
export function mastersOf(redis: RedisClient): readonly Redis[] {
  return redis instanceof Cluster ? redis.nodes("master") : [redis];
}
