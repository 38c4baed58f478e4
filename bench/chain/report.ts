import { HOPS } from "../peer/peer.ts";
import { median, toLatency, toRatios, toSpread } from "../quantile.ts";
import type { Latency, Spread } from "../quantile.ts";
import type { RedisCost } from "../redis-cost.ts";
import { throughputRatios } from "./measure.ts";
import type { Pair, Round, Slice } from "./measure.ts";

/** One peer over all rounds: medians of the slices' figures, quantiles of all runs. */
export interface PeerFigures {
  readonly hops_per_second: number;
  readonly single: Latency;
  readonly saturated: Latency;
  readonly node_cpu_ms_per_1000_hops: number;
  /** Null where the system does not tell. */
  readonly server_cpu_ms_per_1000_hops: number | null;
  /** Null where the server is no Redis. */
  readonly redis: {
    readonly scripts_per_hop: number;
    readonly commands_per_hop: number;
    readonly bytes_in_per_hop: number;
    readonly bytes_out_per_hop: number;
    /** Bytes appended to the append-only file; null where Redis rewrote it in every slice. */
    readonly aof_bytes_per_hop: number | null;
  } | null;
}

/** A peer beside the anchor. A ratio is its figure by the anchor's, of the same pair or round. */
export interface Comparison {
  /** Throughput at saturation, of each pair: a median above 1 is faster. */
  readonly pairs: Spread;
  /** End to end at saturation, median of the rounds: above 1 is slower. */
  readonly p99_ratio: number;
  /** End to end at one run at a time, median of the rounds. */
  readonly p50_ratio_single: number;
  readonly p99_ratio_single: number;
  /** CPU of Node and server together, for the same hops, median of the pairs; null where the system does not tell. */
  readonly cpu_ratio: number | null;
  /** Spread of the anchor's own throughput, in hops a second: how steady the machine was. */
  readonly anchor_pairs: Spread;
  readonly rounds: number;
  readonly load_averages: readonly number[];
  readonly anchor: PeerFigures;
  readonly peer: PeerFigures;
}

/** The figures of a peer beside the anchor's. */
export function compare(rounds: readonly Round[]): Comparison {
  const pairs = rounds.flatMap((round) => round.pairs);
  const latencyRatio = (kind: "single" | "saturated", quantileOf: keyof Latency): number => {
    const of = (side: keyof Pair): number[] =>
      rounds.map((round) => latencyOf(round.pairs, { of: side, kind })[quantileOf]);
    return median(toRatios(of("peer"), of("anchor")));
  };
  const cpu = (of: keyof Pair): number[] =>
    pairs.map((pair) => pair[of].saturated.nodeCpuMs + pair[of].saturated.server.cpuMs);
  return {
    pairs: toSpread(throughputRatios(rounds)),
    p99_ratio: latencyRatio("saturated", "p99_ms"),
    p50_ratio_single: latencyRatio("single", "p50_ms"),
    p99_ratio_single: latencyRatio("single", "p99_ms"),
    cpu_ratio: finiteOrNull(median(toRatios(cpu("peer"), cpu("anchor")))),
    anchor_pairs: toSpread(pairs.map(({ anchor }) => hopsPerSecond(anchor))),
    rounds: rounds.length,
    load_averages: rounds.map(({ loadAverage }) => loadAverage),
    anchor: toPeerFigures(pairs, "anchor"),
    peer: toPeerFigures(pairs, "peer"),
  };
}

function latencyOf(
  pairs: readonly Pair[],
  which: { readonly of: keyof Pair; readonly kind: "single" | "saturated" },
): Latency {
  return toLatency(pairs.flatMap((pair) => pair[which.of][which.kind].latencies));
}

function hopsOf({ saturated }: Slice): number {
  return saturated.latencies.length * HOPS;
}

function hopsPerSecond(slice: Slice): number {
  return hopsOf(slice) / slice.saturated.seconds;
}

function toPeerFigures(pairs: readonly Pair[], of: keyof Pair): PeerFigures {
  const slices = pairs.map((pair) => pair[of]);
  const perHop = (value: (slice: Slice) => number): number =>
    median(slices.map((slice) => value(slice) / hopsOf(slice)));
  return {
    hops_per_second: median(slices.map(hopsPerSecond)),
    single: latencyOf(pairs, { of, kind: "single" }),
    saturated: latencyOf(pairs, { of, kind: "saturated" }),
    node_cpu_ms_per_1000_hops: 1000 * perHop(({ saturated }) => saturated.nodeCpuMs),
    server_cpu_ms_per_1000_hops: finiteOrNull(1000 * perHop(({ saturated }) => saturated.server.cpuMs)),
    redis: toRedisFigures(slices),
  };
}

function toRedisFigures(slices: readonly Slice[]): PeerFigures["redis"] {
  const costs = slices.flatMap((slice) => {
    const { redis } = slice.saturated.server;
    return redis === undefined ? [] : [{ redis, hops: hopsOf(slice) }];
  });
  if (costs.length === 0) return null;
  const perHop = (value: (cost: RedisCost) => number): number =>
    median(costs.map(({ redis, hops }) => value(redis) / hops));
  const aof = costs.flatMap(({ redis, hops }) => (redis.aofBytes === null ? [] : [redis.aofBytes / hops]));
  return {
    scripts_per_hop: perHop(({ scripts }) => scripts),
    commands_per_hop: perHop(({ commands }) => commands),
    bytes_in_per_hop: perHop(({ bytesIn }) => bytesIn),
    bytes_out_per_hop: perHop(({ bytesOut }) => bytesOut),
    aof_bytes_per_hop: aof.length === 0 ? null : median(aof),
  };
}

/** JSON has no NaN. */
function finiteOrNull(figure: number): number | null {
  return Number.isFinite(figure) ? figure : null;
}
