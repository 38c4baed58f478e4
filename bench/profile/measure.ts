import { Redis } from "ioredis";
import type { SelfTime } from "../peer/self-time.ts";
import type { RedisPeerName } from "../peer/peer.ts";
import { HOPS } from "../peer/peer.ts";
import { RemotePeer } from "../peer/remote-peer.ts";
import { countRedisWork, empty } from "../redis-cost.ts";
import type { CommandCost, RedisCost } from "../redis-cost.ts";

export const PROFILE_SETTINGS = {
  runs: 1500,
  warmUpRuns: 600,
  concurrency: 50,
  outstanding: 100,
};

export type ProfileSettings = Readonly<typeof PROFILE_SETTINGS>;

export const QUICK_PROFILE_SETTINGS: ProfileSettings = { ...PROFILE_SETTINGS, runs: 400, warmUpRuns: 300 };

/** Where a peer's time goes, in microseconds per hop. */
export interface ProfileFigures {
  readonly hops: number;
  readonly node_us_per_hop: number;
  readonly redis_us_per_hop: number;
  readonly parts: readonly PartCost[];
  readonly functions: readonly FunctionCost[];
  readonly commands: readonly CommandFigures[];
}

/** Self time of a room of ours, a package, or a part of Node. */
export interface PartCost {
  readonly part: string;
  readonly us_per_hop: number;
}

export interface FunctionCost extends PartCost {
  readonly name: string;
}

export interface CommandFigures {
  readonly command: string;
  readonly calls_per_hop: number;
  readonly us_per_hop: number;
}

export type ProfileReport = Readonly<Record<"bullmq" | "suture", ProfileFigures>>;

/** Profiles both peers in turn, at saturation. The profile itself costs some time: compare shares, not throughput. */
export async function measureProfile(settings: ProfileSettings, url: string): Promise<ProfileReport> {
  return {
    bullmq: await profilePeer(settings, { url, name: "bullmq" }),
    suture: await profilePeer(settings, { url, name: "suture" }),
  };
}

async function profilePeer(
  { runs, warmUpRuns, concurrency, outstanding }: ProfileSettings,
  { url, name }: { readonly url: string; readonly name: RedisPeerName },
): Promise<ProfileFigures> {
  const redis = new Redis(url);
  await empty(redis);
  const peer = await RemotePeer.open(name, { url, prefix: "bench", concurrency });
  try {
    await peer.ask("work", null);
    await peer.ask("drive", { runs: warmUpRuns, outstanding });
    const stop = await countRedisWork(redis);
    await peer.ask("startProfile", null);
    const { nodeCpuMs } = await peer.ask("drive", { runs, outstanding });
    const selfTimes = await peer.ask("stopProfile", null);
    return toProfileFigures({ hops: runs * HOPS, nodeCpuMs, selfTimes, redis: await stop() });
  } finally {
    await peer.close();
    redis.disconnect();
  }
}

function toProfileFigures(taken: {
  readonly hops: number;
  readonly nodeCpuMs: number;
  readonly selfTimes: readonly SelfTime[];
  readonly redis: RedisCost;
}): ProfileFigures {
  const perHop = (ms: number): number => (1000 * ms) / taken.hops;
  return {
    hops: taken.hops,
    node_us_per_hop: perHop(taken.nodeCpuMs),
    redis_us_per_hop: perHop(taken.redis.cpuMs),
    parts: sumByPart(taken.selfTimes).map(({ part, ms }) => ({ part, us_per_hop: perHop(ms) })),
    functions: taken.selfTimes.map(({ part, name, ms }) => ({ part, name, us_per_hop: perHop(ms) })),
    commands: Object.entries(taken.redis.byName)
      .map(([command, cost]) => toCommandFigures(command, cost, taken.hops))
      .toSorted((a, b) => b.us_per_hop - a.us_per_hop),
  };
}

function toCommandFigures(command: string, { calls, usec }: CommandCost, hops: number): CommandFigures {
  return { command, calls_per_hop: calls / hops, us_per_hop: usec / hops };
}

/** Self time by part, the dearest first. */
export function sumByPart(times: readonly SelfTime[]): { readonly part: string; readonly ms: number }[] {
  const sums = new Map<string, number>();
  for (const { part, ms } of times) sums.set(part, (sums.get(part) ?? 0) + ms);
  return [...sums].map(([part, ms]) => ({ part, ms })).toSorted((a, b) => b.ms - a.ms);
}
