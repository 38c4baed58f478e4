import { Redis } from "ioredis";
import { HOPS } from "../peer/peer.ts";
import { createSharedKeyring } from "../peer/suture.ts";
import { RemotePeer } from "../peer/remote-peer.ts";
import { median, toLatency } from "../quantile.ts";
import type { Latency } from "../quantile.ts";
import { countRedisWork, empty } from "../redis-cost.ts";

export const SCALING_SETTINGS = {
  /** Worker processes, each with all three agents. */
  workers: [1, 2],
  rounds: 3,
  warmUpRuns: 600,
  loadRuns: 1500,
  concurrency: 50,
  outstanding: 100,
};

export type ScalingSettings = Readonly<typeof SCALING_SETTINGS>;

export const QUICK_SCALING_SETTINGS: ScalingSettings = {
  ...SCALING_SETTINGS,
  rounds: 1,
  warmUpRuns: 300,
  loadRuns: 500,
};

/** One peer with so many worker processes. Medians of the rounds. */
export interface ScalingFigures {
  readonly workers: number;
  readonly hops_per_second: number;
  readonly saturated: Latency;
  /** Of all worker processes together. */
  readonly worker_cpu_ms_per_1000_hops: number;
  readonly redis_cpu_ms_per_1000_hops: number;
  /** Cores that workers, driver and Redis kept busy. Near the machine's number, more workers cannot help. */
  readonly cores_busy: number;
}

export type ScalingPeer = "bullmq" | "suture";

export interface ScalingReport {
  readonly settings: ScalingSettings;
  readonly bullmq: readonly ScalingFigures[];
  readonly suture: readonly ScalingFigures[];
}

interface Bench {
  readonly name: ScalingPeer;
  readonly url: string;
  readonly settings: ScalingSettings;
  readonly workers: number;
}

/** Measures both peers with each number of worker processes, in turn; a process of its own submits. */
export async function measureScaling(
  settings: ScalingSettings,
  run: { readonly url: string; readonly say: (line: string) => void },
): Promise<ScalingReport> {
  const taken = new Map<string, ScalingFigures[]>();
  for (let round = 0; round < settings.rounds; round += 1) {
    for (const workers of settings.workers) {
      for (const name of ["bullmq", "suture"] as const) {
        run.say(`scaling: round ${round + 1}, ${workers} worker processes, ${name}`);
        const figures = await sample({ name, url: run.url, settings, workers });
        taken.set(`${name} ${workers}`, [...(taken.get(`${name} ${workers}`) ?? []), figures]);
      }
    }
  }
  const summarise = (name: ScalingPeer): ScalingFigures[] =>
    settings.workers.map((workers) => toMedians(taken.get(`${name} ${workers}`) ?? []));
  return { settings, bullmq: summarise("bullmq"), suture: summarise("suture") };
}

async function sample({ name, url, settings, workers }: Bench): Promise<ScalingFigures> {
  const { concurrency, outstanding, warmUpRuns, loadRuns } = settings;
  const redis = new Redis(url);
  await empty(redis);
  const opened: RemotePeer[] = [];
  const keyring = createSharedKeyring();
  const open = async (): Promise<RemotePeer> => {
    const peer = await RemotePeer.open(name, { url, prefix: "bench", concurrency, keyring });
    opened.push(peer);
    return peer;
  };
  try {
    const driver = await open();
    const working = await Promise.all(Array.from({ length: workers }, open));
    for (const worker of working) {
      await worker.listen((runIds) => void driver.ask("applyEnds", runIds));
      await worker.ask("work", null);
    }
    await driver.ask("drive", { runs: warmUpRuns, outstanding });
    const stop = await countRedisWork(redis);
    const before = await sumCpu(working);
    const load = await driver.ask("drive", { runs: loadRuns, outstanding });
    const workerCpuMs = (await sumCpu(working)) - before;
    const { cpuMs } = await stop();
    const hops = loadRuns * HOPS;
    return {
      workers,
      hops_per_second: hops / load.seconds,
      saturated: toLatency(load.latencies),
      worker_cpu_ms_per_1000_hops: (1000 * workerCpuMs) / hops,
      redis_cpu_ms_per_1000_hops: (1000 * cpuMs) / hops,
      cores_busy: (workerCpuMs + load.nodeCpuMs + cpuMs) / (1000 * load.seconds),
    };
  } finally {
    await Promise.all(opened.map((peer) => peer.close()));
    redis.disconnect();
  }
}

async function sumCpu(peers: readonly RemotePeer[]): Promise<number> {
  const spent = await Promise.all(peers.map((peer) => peer.ask("cpu", null)));
  return spent.reduce((total, ms) => total + ms, 0);
}

function toMedians(rounds: readonly ScalingFigures[]): ScalingFigures {
  const middle = (of: (figures: ScalingFigures) => number): number => median(rounds.map(of));
  return {
    workers: middle(({ workers }) => workers),
    hops_per_second: middle((figures) => figures.hops_per_second),
    saturated: {
      p50_ms: middle(({ saturated }) => saturated.p50_ms),
      p99_ms: middle(({ saturated }) => saturated.p99_ms),
    },
    worker_cpu_ms_per_1000_hops: middle((figures) => figures.worker_cpu_ms_per_1000_hops),
    redis_cpu_ms_per_1000_hops: middle((figures) => figures.redis_cpu_ms_per_1000_hops),
    cores_busy: middle((figures) => figures.cores_busy),
  };
}
