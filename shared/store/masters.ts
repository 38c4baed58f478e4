import { Cluster } from "ioredis";
import type { Redis } from "ioredis";

/** Returns the servers that take writes: the single one, or every master of a cluster. */
export function mastersOf(redis: Cluster | Redis): readonly Redis[] {
  return redis instanceof Cluster ? redis.nodes("master") : [redis];
}
