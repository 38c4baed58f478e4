import { HOPS } from "../peer/peer.ts";
import { PAYLOAD_BYTES } from "../peer/payload.ts";
import { median, toLatency, toRatios, toSpread } from "../quantile.ts";
import type { Latency, Spread } from "../quantile.ts";
import { throughputRatios } from "./measure.ts";
import type { Pair, Round, Slice } from "./measure.ts";
import type { ChainSettings } from "./settings.ts";

/** One peer over all rounds: medians of the slices' figures, quantiles of all runs. */
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
  /** Bytes appended to the append-only file. */
  readonly aof_bytes_per_hop: number | null;
  readonly commands_by_name: Readonly<Record<string, number>>;
}

/** A peer beside raw BullMQ. A ratio is its figure by BullMQ's, of the same pair or round. */
export interface ChainComparison {
  /** Throughput at saturation, median of the pairs: above 1 is faster. */
  readonly ratio_to_bullmq: number;
  readonly ratio_to_bullmq_min: number;
  readonly ratio_to_bullmq_max: number;
  /** End to end at saturation, median of the rounds: above 1 is slower. */
  readonly p99_ratio_to_bullmq: number;
  readonly p50_ratio_to_bullmq: number;
  /** End to end at one run at a time, median of the rounds. */
  readonly p99_ratio_to_bullmq_single: number;
  readonly p50_ratio_to_bullmq_single: number;
  /** CPU of Node and Redis together, for the same hops, median of the pairs. */
  readonly cpu_ratio_to_bullmq: number;
  /** How far the pairs' throughput ratios lie apart. */
  readonly pairs: Spread;
  /** How far raw BullMQ's own throughput, in hops a second, lies apart: how steady the machine was. */
  readonly anchor_pairs: Spread;
  readonly rounds: number;
  readonly load_averages: readonly number[];
  readonly peers: { readonly bullmq: PeerFigures; readonly suture: PeerFigures };
}

/** What `--json` holds under `chain`. */
export interface ChainReport extends ChainComparison {
  readonly payload_bytes: number;
  readonly settings: ChainSettings;
  /** The same with every accept and commit confirmed by a replica. */
  readonly replicated: ChainComparison | { readonly not_available: string };
}

export function toChainReport(
  rounds: readonly Round[],
  rest: { readonly settings: ChainSettings; readonly replicated: readonly Round[] | string },
): ChainReport {
  const { settings, replicated } = rest;
  return {
    ...compare(rounds),
    payload_bytes: PAYLOAD_BYTES,
    settings,
    replicated: typeof replicated === "string" ? { not_available: replicated } : compare(replicated),
  };
}

/** The figures of a peer beside the anchor's. */
export function compare(rounds: readonly Round[]): ChainComparison {
  const pairs = rounds.flatMap((round) => round.pairs);
  const spread = toSpread(throughputRatios(rounds));
  const latencyRatio = (kind: "single" | "saturated", quantileOf: keyof Latency): number =>
    median(
      toRatios(
        rounds.map((round) => latencyOf(round.pairs, { of: "suture", kind })[quantileOf]),
        rounds.map((round) => latencyOf(round.pairs, { of: "anchor", kind })[quantileOf]),
      ),
    );
  const cpu = (of: keyof Pair): number[] =>
    pairs.map((pair) => pair[of].saturated.nodeCpuMs + pair[of].saturated.redis.cpuMs);
  return {
    ratio_to_bullmq: spread.median,
    ratio_to_bullmq_min: spread.min,
    ratio_to_bullmq_max: spread.max,
    p99_ratio_to_bullmq: latencyRatio("saturated", "p99_ms"),
    p50_ratio_to_bullmq: latencyRatio("saturated", "p50_ms"),
    p99_ratio_to_bullmq_single: latencyRatio("single", "p99_ms"),
    p50_ratio_to_bullmq_single: latencyRatio("single", "p50_ms"),
    cpu_ratio_to_bullmq: median(toRatios(cpu("suture"), cpu("anchor"))),
    pairs: spread,
    anchor_pairs: toSpread(pairs.map(({ anchor }) => hopsPerSecond(anchor))),
    rounds: rounds.length,
    load_averages: rounds.map(({ loadAverage }) => loadAverage),
    peers: { bullmq: toPeerFigures(rounds, "anchor"), suture: toPeerFigures(rounds, "suture") },
  };
}

function latencyOf(
  pairs: readonly Pair[],
  which: { readonly of: keyof Pair; readonly kind: "single" | "saturated" },
): Latency {
  return toLatency(pairs.flatMap((pair) => pair[which.of][which.kind].latencies));
}

function hopsPerSecond({ saturated }: Slice): number {
  return (saturated.latencies.length * HOPS) / saturated.seconds;
}

function toPeerFigures(rounds: readonly Round[], of: keyof Pair): PeerFigures {
  const pairs = rounds.flatMap((round) => round.pairs);
  const slices = pairs.map((pair) => pair[of]);
  const perHop = (value: (slice: Slice["saturated"]) => number): number =>
    median(slices.map(({ saturated }) => value(saturated) / (saturated.latencies.length * HOPS)));
  const names = new Set(slices.flatMap(({ saturated }) => Object.keys(saturated.redis.byName)));
  return {
    hops_per_second: median(slices.map(hopsPerSecond)),
    single: latencyOf(pairs, { of, kind: "single" }),
    saturated: latencyOf(pairs, { of, kind: "saturated" }),
    node_cpu_ms_per_1000_hops: 1000 * perHop(({ nodeCpuMs }) => nodeCpuMs),
    redis_cpu_ms_per_1000_hops: 1000 * perHop(({ redis }) => redis.cpuMs),
    scripts_per_hop: perHop(({ redis }) => redis.scripts),
    commands_per_hop: perHop(({ redis }) => redis.commands),
    bytes_in_per_hop: perHop(({ redis }) => redis.bytesIn),
    bytes_out_per_hop: perHop(({ redis }) => redis.bytesOut),
    aof_bytes_per_hop: aofBytesPerHop(slices),
    commands_by_name: Object.fromEntries(
      [...names].map((name) => [name, perHop(({ redis }) => redis.byName[name]?.calls ?? 0)]),
    ),
  };
}

/** Of the slices in which Redis did not rewrite its file. */
function aofBytesPerHop(slices: readonly Slice[]): number | null {
  const counted = slices.flatMap(({ saturated }) =>
    saturated.redis.aofBytes === null ? [] : [saturated.redis.aofBytes / (saturated.latencies.length * HOPS)],
  );
  return counted.length === 0 ? null : median(counted);
}
