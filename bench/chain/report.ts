import { printTable } from "../print-table.ts";
import { median } from "../quantile.ts";
import { PAYLOAD_BYTES } from "./payload.ts";
import type { ChainFigures, ChainSettings, DepthFigures, PeerFigures } from "./measure.ts";

/** What `--json` holds under `chain`. A ratio is Suture's figure by BullMQ's of the same run. */
export interface ChainReport extends ChainFigures {
  /** Throughput at saturation, median of the rounds: above 1 is faster. */
  readonly ratio_to_bullmq: number;
  readonly ratio_to_bullmq_min: number;
  readonly ratio_to_bullmq_max: number;
  /** p99 end to end at saturation: above 1 is slower. */
  readonly p99_ratio_to_bullmq: number;
  /** p99 end to end at one run at a time. */
  readonly p99_ratio_to_bullmq_single: number;
  /** CPU of Node and Redis together, for the same hops. */
  readonly cpu_ratio_to_bullmq: number;
  readonly payload_bytes: number;
  readonly settings: ChainSettings;
}

export function toChainReport(figures: ChainFigures, settings: ChainSettings): ChainReport {
  const { bullmq, suture } = figures.peers;
  return {
    ratio_to_bullmq: median(figures.throughput_ratios),
    ratio_to_bullmq_min: Math.min(...figures.throughput_ratios),
    ratio_to_bullmq_max: Math.max(...figures.throughput_ratios),
    p99_ratio_to_bullmq: suture.saturated.p99_ms / bullmq.saturated.p99_ms,
    p99_ratio_to_bullmq_single: suture.single.p99_ms / bullmq.single.p99_ms,
    cpu_ratio_to_bullmq: cpuOf(suture) / cpuOf(bullmq),
    payload_bytes: PAYLOAD_BYTES,
    settings,
    ...figures,
  };
}

function cpuOf(figures: PeerFigures): number {
  return figures.node_cpu_ms_per_1000_hops + figures.redis_cpu_ms_per_1000_hops;
}

/** Figures of one row, and the digits they are told with. */
const ROWS: readonly (readonly [string, (figures: PeerFigures) => number, number])[] = [
  ["hops a second, saturated", (peer) => peer.hops_per_second, 0],
  ["one run at a time, p50 ms", (peer) => peer.single.p50_ms, 2],
  ["one run at a time, p99 ms", (peer) => peer.single.p99_ms, 2],
  ["saturated, p50 ms", (peer) => peer.saturated.p50_ms, 0],
  ["saturated, p99 ms", (peer) => peer.saturated.p99_ms, 0],
  ["Node CPU, ms per 1,000 hops", (peer) => peer.node_cpu_ms_per_1000_hops, 0],
  ["Redis CPU, ms per 1,000 hops", (peer) => peer.redis_cpu_ms_per_1000_hops, 0],
  ["script calls per hop", (peer) => peer.scripts_per_hop, 2],
  ["Redis commands per hop, inside scripts too", (peer) => peer.commands_per_hop, 1],
  ["bytes to Redis per hop", (peer) => peer.bytes_in_per_hop, 0],
  ["bytes from Redis per hop", (peer) => peer.bytes_out_per_hop, 0],
];

export function printChainReport(report: ChainReport): void {
  const { bullmq, suture } = report.peers;
  const { rounds, concurrency, outstanding } = report.settings;
  printTable(
    `chain of three agents, ${report.payload_bytes} byte payload, concurrency ${concurrency}, ${outstanding} runs under ` +
      `way at saturation, ${rounds} rounds`,
    [
      ["", "raw BullMQ", "Suture", "ratio"],
      ...ROWS.map(([label, of, digits]) => row(label, { raw: of(bullmq), ours: of(suture), digits })),
    ],
  );
  const { ratio_to_bullmq: ratio, ratio_to_bullmq_min: min, ratio_to_bullmq_max: max } = report;
  console.log(
    `\n  throughput by round: median ${ratio.toFixed(2)} (${min.toFixed(2)} to ${max.toFixed(2)}) of raw BullMQ`,
  );
  printTable("with messages waiting: urgent runs, one at a time, while the agents work off what waits", [
    ["", "raw BullMQ", "Suture", "ratio"],
    ...report.depths.bullmq.flatMap((raw, index) => depthRows(raw, report.depths.suture[index])),
  ]);
}

function depthRows(raw: DepthFigures, ours: DepthFigures | undefined): string[][] {
  if (ours === undefined) return [];
  const compare = (label: string, of: (depth: DepthFigures) => number): string[] =>
    row(`${raw.waiting} waiting, ${label}`, { raw: of(raw), ours: of(ours), digits: 2 });
  const latencies = [
    row(`${raw.waiting} waiting, runs measured`, { raw: raw.runs, ours: ours.runs, digits: 0 }),
    compare("submit p50 ms", (depth) => depth.submit.p50_ms),
    compare("end to end p50 ms", (depth) => depth.end_to_end.p50_ms),
    compare("end to end p99 ms", (depth) => depth.end_to_end.p99_ms),
  ];
  if (raw.bytes_per_waiting === null || ours.bytes_per_waiting === null) return latencies;
  const memory = { raw: raw.bytes_per_waiting, ours: ours.bytes_per_waiting, digits: 0 };
  return [...latencies, row(`${raw.waiting} waiting, Redis bytes for each`, memory)];
}

function row(
  label: string,
  { raw, ours, digits }: { readonly raw: number; readonly ours: number; readonly digits: number },
): string[] {
  return [label, raw.toFixed(digits), ours.toFixed(digits), (ours / raw).toFixed(2)];
}
