import type { Redis } from "ioredis";

/** The work of Redis in an interval. Counts are sums, not divided by hops. */
export interface RedisCost {
  /** Scripts that clients called. */
  readonly scripts: number;
  /** Commands in all, those inside scripts included. */
  readonly commands: number;
  /** Commands by name, `evalsha` and those inside scripts included. A script's time includes its commands' time. */
  readonly byName: Readonly<Record<string, CommandCost>>;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Growth of the append-only file; null if Redis rewrote it meanwhile. */
  readonly aofBytes: number | null;
  /** CPU time of the Redis process, in ms. */
  readonly cpuMs: number;
}

export interface CommandCost {
  readonly calls: number;
  /** As Redis counts it, in microseconds. */
  readonly usec: number;
}

interface Reading {
  readonly commands: ReadonlyMap<string, CommandCost>;
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
      .map(([name, cost]) => [name, subtract(cost, before.commands.get(name))] as const)
      // Asking is not the peer's work.
      .filter(([name, { calls }]) => calls > 0 && name !== "info");
    const callsOf = (entries: typeof names): number =>
      entries.reduce((total, [, { calls }]) => total + calls, 0);
    return {
      scripts: callsOf(names.filter(([name]) => SCRIPT_CALLS.has(name))),
      commands: callsOf(names),
      byName: Object.fromEntries(names),
      bytesIn: after.bytesIn - before.bytesIn,
      bytesOut: after.bytesOut - before.bytesOut,
      aofBytes: after.aofRewrites === before.aofRewrites ? after.aofBytes - before.aofBytes : null,
      cpuMs: after.cpuMs - before.cpuMs,
    };
  };
}

function subtract(cost: CommandCost, before: CommandCost = { calls: 0, usec: 0 }): CommandCost {
  return { calls: cost.calls - before.calls, usec: cost.usec - before.usec };
}

async function read(redis: Redis): Promise<Reading> {
  const fields = parseInfo(await redis.info("commandstats", "stats", "cpu", "persistence"));
  const number = (name: string): number => Number(fields.get(name) ?? 0);
  const commands = new Map<string, CommandCost>();
  for (const [name, value] of fields) {
    const command = /^cmdstat_(.+)$/.exec(name)?.[1];
    const counted = /calls=(\d+),usec=(\d+)/.exec(value);
    if (command === undefined || counted === null) continue;
    commands.set(command, { calls: Number(counted[1]), usec: Number(counted[2]) });
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

const EMPTY_WITHIN_MS = 20_000;
const POLL_MS = 50;

/** Deletes all keys and waits until the append-only file is rewritten, so that the rewrite is not measured. */
export async function empty(redis: Redis): Promise<void> {
  await redis.flushall();
  const deadline = performance.now() + EMPTY_WITHIN_MS;
  while (performance.now() < deadline) {
    const persistence = parseInfo(await redis.info("persistence"));
    const isBusy =
      persistence.get("aof_rewrite_in_progress") === "1" || persistence.get("aof_rewrite_scheduled") === "1";
    if (!isBusy) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`Redis was still rewriting its file after ${EMPTY_WITHIN_MS} ms`);
}

function parseInfo(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return fields;
}
