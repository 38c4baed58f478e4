import { Redis } from "ioredis";
import type { Memory } from "../peer/calls.ts";
import { HOPS } from "../peer/peer.ts";
import { RemotePeer } from "../peer/remote-peer.ts";
import { toLatency } from "../quantile.ts";
import type { Latency } from "../quantile.ts";
import { countRedisWork, empty, readUsedMemory } from "../redis-cost.ts";

export const DEPTH_SETTINGS = {
  /** Messages that wait. The first is what the others are compared with. */
  depths: [0, 10_000, 100_000],
  /** Runs that end while the level is held. */
  ends: 1500,
  warmUpRuns: 600,
  singleRuns: 200,
  loadRuns: 1500,
  concurrency: 50,
  outstanding: 100,
};

export type DepthSettings = Readonly<typeof DEPTH_SETTINGS>;

export const QUICK_DEPTH_SETTINGS: DepthSettings = {
  ...DEPTH_SETTINGS,
  depths: [0, 10_000],
  ends: 500,
  warmUpRuns: 300,
  singleRuns: 80,
  loadRuns: 500,
};

/** A hop with so many messages waiting, of one peer. */
export interface DepthFigures {
  readonly waiting: number;
  /** They wait at an agent nobody works for; a chain beside it runs as with none waiting. */
  readonly aside: {
    readonly hops_per_second: number;
    readonly single: Latency;
    readonly node_cpu_ms_per_1000_hops: number;
    readonly redis_cpu_ms_per_1000_hops: number;
  };
  /** They wait at the chain's own first agent, which works them off while as many come in. */
  readonly in_line: {
    readonly hops_per_second: number;
    /** Urgent runs, one at a time, past those that wait and beside those at work. */
    readonly urgent: Latency;
    readonly node_cpu_ms_per_1000_hops: number;
    readonly redis_cpu_ms_per_1000_hops: number;
  };
  /** Memory of the process that works and submits, with those in line still waiting. */
  readonly process: Memory;
  /** What Redis keeps for each of those in line; null when none wait. */
  readonly redis_bytes_per_waiting: number | null;
}

export type DepthPeer = "bullmq" | "suture";

export interface DepthReport {
  readonly settings: DepthSettings;
  readonly bullmq: readonly DepthFigures[];
  readonly suture: readonly DepthFigures[];
}

interface Bench {
  readonly name: DepthPeer;
  readonly url: string;
  readonly settings: DepthSettings;
  readonly waiting: number;
}

/** Measures both peers at each depth, in turn, each time in a new process on an emptied Redis. */
export async function measureDepth(
  settings: DepthSettings,
  run: { readonly url: string; readonly say: (line: string) => void },
): Promise<DepthReport> {
  const report = { bullmq: new Array<DepthFigures>(), suture: new Array<DepthFigures>() };
  for (const waiting of settings.depths) {
    for (const name of ["bullmq", "suture"] as const) {
      run.say(`depth: ${waiting} waiting, ${name}`);
      const bench = { name, url: run.url, settings, waiting };
      const aside = await withPeer(bench, measureAside);
      const inLine = await withPeer(bench, measureInLine);
      report[name].push({ waiting, aside, ...inLine });
    }
  }
  return { settings, ...report };
}

async function withPeer<Result>(
  bench: Bench,
  use: (on: { readonly peer: RemotePeer; readonly redis: Redis; readonly bench: Bench }) => Promise<Result>,
): Promise<Result> {
  const redis = new Redis(bench.url);
  await empty(redis);
  const { concurrency } = bench.settings;
  const peer = await RemotePeer.open(bench.name, { url: bench.url, prefix: "bench", concurrency });
  try {
    return await use({ peer, redis, bench });
  } finally {
    await peer.close();
    redis.disconnect();
  }
}

type On = Parameters<Parameters<typeof withPeer>[1]>[0];

async function measureAside({ peer, redis, bench }: On): Promise<DepthFigures["aside"]> {
  const { warmUpRuns, singleRuns, loadRuns, outstanding } = bench.settings;
  await peer.ask("fill", { count: bench.waiting, line: "aside" });
  await peer.ask("work", null);
  await peer.ask("drive", { runs: warmUpRuns, outstanding });
  const single = await peer.ask("drive", { runs: singleRuns, outstanding: 1 });
  const stop = await countRedisWork(redis);
  const load = await peer.ask("drive", { runs: loadRuns, outstanding });
  const { cpuMs } = await stop();
  const hops = loadRuns * HOPS;
  return {
    hops_per_second: hops / load.seconds,
    single: toLatency(single.latencies),
    node_cpu_ms_per_1000_hops: (1000 * load.nodeCpuMs) / hops,
    redis_cpu_ms_per_1000_hops: (1000 * cpuMs) / hops,
  };
}

async function measureInLine({
  peer,
  redis,
  bench,
}: On): Promise<Pick<DepthFigures, "in_line" | "process" | "redis_bytes_per_waiting">> {
  const { warmUpRuns, ends, outstanding } = bench.settings;
  const before = await readUsedMemory(redis);
  await peer.ask("fill", { count: bench.waiting, line: "chain" });
  const bytes = (await readUsedMemory(redis)) - before;
  // At depth 0 as many are under way as anywhere else: the loop is the same.
  await peer.ask("fill", { count: outstanding, line: "chain" });
  await peer.ask("work", null);
  await peer.ask("driveAtLevel", { ends: warmUpRuns });
  const stop = await countRedisWork(redis);
  const level = await peer.ask("driveAtLevel", { ends });
  const { cpuMs } = await stop();
  const hops = ends * HOPS;
  return {
    in_line: {
      hops_per_second: hops / level.seconds,
      urgent: toLatency(level.urgent),
      node_cpu_ms_per_1000_hops: (1000 * level.nodeCpuMs) / hops,
      redis_cpu_ms_per_1000_hops: (1000 * cpuMs) / hops,
    },
    process: await peer.ask("memory", null),
    redis_bytes_per_waiting: bench.waiting === 0 ? null : bytes / bench.waiting,
  };
}
