import { Cluster } from "ioredis";
import type { RedisClient } from "./script.ts";

/**
 * How full the fullest master is, from 0 to 1: what its data takes of its `maxmemory`, or of its machine's memory where
 * it has no such limit. 0 where the server tells neither.
 */
export async function memoryShare(redis: RedisClient): Promise<number> {
  const nodes = redis instanceof Cluster ? redis.nodes("master") : [redis];
  const shares = await Promise.all(nodes.map(async (node) => shareIn(await node.info("memory"))));
  return Math.max(0, ...shares);
}

function shareIn(info: string): number {
  const read = (name: string): number => Number(new RegExp(`^${name}:(\\d+)`, "m").exec(info)?.[1] ?? 0);
  const limit = read("maxmemory") || read("total_system_memory");
  return limit === 0 ? 0 : read("used_memory") / limit;
}
