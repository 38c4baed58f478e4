import { mastersOf, parseInfo } from "./masters.ts";
import type { RedisClient } from "./script.ts";

/** Memory of the fullest master, in bytes. 0 if the server does not report it. */
export interface RedisMemory {
  readonly used: number;
  /** `maxmemory`, or the machine's memory if there is no limit. */
  readonly max: number;
}

/** Reads the memory of every master and returns that of the fullest. */
export async function readMemory(redis: RedisClient): Promise<RedisMemory> {
  const all = await Promise.all(mastersOf(redis).map(async (node) => memoryIn(await node.info("memory"))));
  return all.toSorted((a, b) => shareOf(b) - shareOf(a))[0] ?? { used: 0, max: 0 };
}

/** Returns how full the fullest master is, 0 to 1, of `maxmemory` or the machine's memory; 0 if it reports neither. */
export async function memoryShare(redis: RedisClient): Promise<number> {
  return shareOf(await readMemory(redis));
}

function shareOf({ used, max }: RedisMemory): number {
  return max === 0 ? 0 : used / max;
}

function memoryIn(info: string): RedisMemory {
  const fields = parseInfo(info);
  const read = (name: string): number => Number(fields.get(name) ?? 0);
  return { used: read("used_memory"), max: read("maxmemory") || read("total_system_memory") };
}
