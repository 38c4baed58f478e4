import { median, quantile } from "../quantile.ts";
import { PEERS } from "./peer.ts";
import type { PeerName } from "./peer.ts";
import { HOPS } from "./sample.ts";
import type { Load, Sample, SampleRequest } from "./sample.ts";
import { sampleApart } from "./sample-apart.ts";

export interface ChainSettings {
  readonly rounds: number;
  readonly concurrency: number;
  readonly outstanding: number;
  readonly warmUpRuns: number;
  readonly singleRuns: number;
  readonly loadRuns: number;
  /** Waiting messages under which latency is measured. */
  readonly depths: readonly number[];
  /** Runs measured at each depth, at most. */
  readonly depthRuns: number;
}

export const SETTINGS: ChainSettings = {
  rounds: 5,
  concurrency: 50,
  outstanding: 100,
  warmUpRuns: 500,
  singleRuns: 200,
  loadRuns: 1500,
  depths: [0, 10_000, 100_000],
  depthRuns: 50,
};

/** To see that all is well, in a minute or two. Its figures are not for telling others. */
export const QUICK_SETTINGS: ChainSettings = {
  ...SETTINGS,
  rounds: 3,
  singleRuns: 100,
  loadRuns: 600,
  warmUpRuns: 300,
  depths: [0, 5000],
  depthRuns: 25,
};

const SAMPLE_TIMEOUT_MS = 120_000;
const FILL_TIMEOUT_MS_PER_RUN = 5;

/** Latencies in ms. */
export interface Latency {
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** One peer over all rounds: medians of the rounds' figures, quantiles of all runs. */
export interface PeerFigures {
  readonly hops_per_second: number;
  readonly single: Latency;
  readonly saturated: Latency;
  readonly node_cpu_ms_per_1000_hops: number;
  readonly redis_cpu_ms_per_1000_hops: number;
  readonly scripts_per_hop: number;
  readonly commands_per_hop: number;
  readonly bytes_in_per_hop: number;
  readonly bytes_out_per_hop: number;
  readonly commands_by_name: Readonly<Record<string, number>>;
}

/** One peer with so many messages waiting. */
export interface DepthFigures {
  readonly waiting: number;
  /** Runs measured. */
  readonly runs: number;
  readonly submit: Latency;
  readonly end_to_end: Latency;
  readonly bytes_per_waiting: number | null;
}

export interface ChainFigures {
  readonly peers: Readonly<Record<PeerName, PeerFigures>>;
  /** Suture's throughput by BullMQ's, of each round. */
  readonly throughput_ratios: readonly number[];
  readonly depths: Readonly<Record<PeerName, readonly DepthFigures[]>>;
}

type Rounds = Readonly<Record<PeerName, Sample[]>>;

/** Measures both peers in turn, round by round, so that what else the machine does falls on both. */
export async function measureChain(
  settings: ChainSettings,
  run: { readonly url: string; readonly say: (line: string) => void },
): Promise<ChainFigures> {
  const rounds: Rounds = { bullmq: [], suture: [] };
  for (let round = 0; round < settings.rounds; round += 1) {
    run.say(`chain: round ${round + 1} of ${settings.rounds}`);
    // Who begins changes, so that neither always finds the machine as the other left it.
    for (const peer of round % 2 === 0 ? PEERS : PEERS.toReversed()) {
      rounds[peer].push(await sampleApart(requestOf(settings, { peer, url: run.url, waiting: 0 })));
    }
  }
  const depths: Record<PeerName, DepthFigures[]> = { bullmq: [], suture: [] };
  for (const waiting of settings.depths) {
    run.say(`chain: ${waiting} messages waiting`);
    for (const peer of PEERS) {
      const request = requestOf(settings, { peer, url: run.url, waiting });
      const sample = await sampleApart({ ...request, singleRuns: settings.depthRuns, loadRuns: 0 });
      depths[peer].push(toDepthFigures(waiting, sample));
    }
  }
  const speeds = (peer: PeerName): number[] => loadsOf(rounds[peer]).map((load) => load.hopsPerSecond);
  const anchor = speeds("bullmq");
  return {
    peers: { bullmq: toPeerFigures(rounds.bullmq), suture: toPeerFigures(rounds.suture) },
    throughput_ratios: speeds("suture").map((speed, round) => speed / (anchor[round] ?? Number.NaN)),
    depths,
  };
}

function requestOf(
  settings: ChainSettings,
  of: { readonly peer: PeerName; readonly url: string; readonly waiting: number },
): SampleRequest {
  const { concurrency, outstanding, warmUpRuns, singleRuns, loadRuns } = settings;
  const timeoutMs = SAMPLE_TIMEOUT_MS + of.waiting * FILL_TIMEOUT_MS_PER_RUN;
  return { ...of, concurrency, outstanding, warmUpRuns, singleRuns, loadRuns, timeoutMs };
}

function loadsOf(samples: readonly Sample[]): Load[] {
  return samples.flatMap(({ load }) => load ?? []);
}

function toLatency(latencies: readonly number[]): Latency {
  return { p50_ms: quantile(latencies, 0.5), p99_ms: quantile(latencies, 0.99) };
}

function toPeerFigures(samples: readonly Sample[]): PeerFigures {
  const loads = loadsOf(samples);
  const perHop = (value: (load: Load) => number): number =>
    median(loads.map((load) => value(load) / (load.latencies.length * HOPS)));
  const names = new Set(loads.flatMap(({ redis }) => Object.keys(redis.byName)));
  return {
    hops_per_second: median(loads.map((load) => load.hopsPerSecond)),
    single: toLatency(samples.flatMap(({ single }) => single.latencies)),
    saturated: toLatency(loads.flatMap(({ latencies }) => latencies)),
    node_cpu_ms_per_1000_hops: 1000 * perHop((load) => load.nodeCpuMs),
    redis_cpu_ms_per_1000_hops: 1000 * perHop(({ redis }) => redis.cpuMs),
    scripts_per_hop: perHop(({ redis }) => redis.scripts),
    commands_per_hop: perHop(({ redis }) => redis.commands),
    bytes_in_per_hop: perHop(({ redis }) => redis.bytesIn),
    bytes_out_per_hop: perHop(({ redis }) => redis.bytesOut),
    commands_by_name: Object.fromEntries(
      [...names].map((name) => [name, perHop(({ redis }) => redis.byName[name] ?? 0)]),
    ),
  };
}

function toDepthFigures(waiting: number, { single, bytesPerWaiting }: Sample): DepthFigures {
  return {
    waiting,
    runs: single.latencies.length,
    submit: toLatency(single.submits),
    end_to_end: toLatency(single.latencies),
    bytes_per_waiting: bytesPerWaiting,
  };
}
