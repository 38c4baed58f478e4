import { parseInfo } from "#shared/store";
import type { Redis } from "ioredis";

/** The work of Redis in an interval. Counts are sums, not divided by hops. */
export interface RedisCost {
  /** Scripts that clients called. */
  readonly scripts: number;
  /** Commands in all, those inside scripts included. */
  readonly commands: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Growth of the append-only file; null if Redis rewrote it meanwhile. */
  readonly aofBytes: number | null;
  /** CPU time of the Redis process, in ms. */
  readonly cpuMs: number;
}

interface Reading {
  readonly commands: ReadonlyMap<string, number>;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly aofBytes: number;
  readonly aofRewrites: string;
  readonly cpuMs: number;
}

const SCRIPT_CALLS = new Set(["eval", "evalsha", "fcall"]);

/** Starts counting the work of all clients of the server. The returned function stops and returns the counts. */
export async function countRedisWork(redis: Redis): Promise<() => Promise<RedisCost>> {
  const before = await read(redis);
  return async () => {
    const after = await read(redis);
    const names = [...after.commands]
      .map(([name, calls]) => [name, calls - (before.commands.get(name) ?? 0)] as const)
      // Asking is not the peer's work.
      .filter(([name, calls]) => calls > 0 && name !== "info");
    const callsOf = (entries: typeof names): number => entries.reduce((total, [, calls]) => total + calls, 0);
    return {
      scripts: callsOf(names.filter(([name]) => SCRIPT_CALLS.has(name))),
      commands: callsOf(names),
      bytesIn: after.bytesIn - before.bytesIn,
      bytesOut: after.bytesOut - before.bytesOut,
      aofBytes: after.aofRewrites === before.aofRewrites ? after.aofBytes - before.aofBytes : null,
      cpuMs: after.cpuMs - before.cpuMs,
    };
  };
}

async function read(redis: Redis): Promise<Reading> {
  const fields = parseInfo(await redis.info("commandstats", "stats", "cpu", "persistence"));
  const number = (name: string): number => Number(fields.get(name) ?? 0);
  const commands = new Map<string, number>();
  for (const [name, value] of fields) {
    const command = /^cmdstat_(.+)$/.exec(name)?.[1];
    if (command !== undefined) commands.set(command, Number(/calls=(\d+)/.exec(value)?.[1] ?? 0));
  }
  return {
    commands,
    bytesIn: number("total_net_input_bytes"),
    bytesOut: number("total_net_output_bytes"),
    aofBytes: number("aof_current_size"),
    aofRewrites: `${fields.get("aof_rewrites")} ${fields.get("aof_rewrite_in_progress")}`,
    cpuMs: (number("used_cpu_user") + number("used_cpu_sys")) * 1000,
  };
}
