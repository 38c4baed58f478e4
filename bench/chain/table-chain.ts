import type { Table } from "../print-table.ts";
import { PAYLOAD_BYTES } from "../peer/payload.ts";
import type { Comparison, PeerFigures } from "./report.ts";
import type { ChainSettings } from "./settings.ts";

const ROWS: readonly (readonly [string, (figures: PeerFigures) => number | null | undefined, number])[] = [
  ["hops a second, saturated", (peer) => peer.hops_per_second, 0],
  ["one run at a time, p50 ms", (peer) => peer.single.p50_ms, 2],
  ["one run at a time, p99 ms", (peer) => peer.single.p99_ms, 2],
  ["saturated, p50 ms", (peer) => peer.saturated.p50_ms, 0],
  ["saturated, p99 ms", (peer) => peer.saturated.p99_ms, 0],
  ["Node CPU, ms per 1,000 hops", (peer) => peer.node_cpu_ms_per_1000_hops, 0],
  ["Redis CPU, ms per 1,000 hops", (peer) => peer.server_cpu_ms_per_1000_hops, 0],
  ["script calls per hop", (peer) => peer.redis?.scripts_per_hop, 2],
  ["Redis commands per hop, inside scripts too", (peer) => peer.redis?.commands_per_hop, 1],
  ["bytes to Redis per hop", (peer) => peer.redis?.bytes_in_per_hop, 0],
  ["bytes from Redis per hop", (peer) => peer.redis?.bytes_out_per_hop, 0],
  ["bytes to the append-only file per hop", (peer) => peer.redis?.aof_bytes_per_hop, 0],
];

export function tableChain(report: Comparison, { concurrency, outstanding }: ChainSettings): Table[] {
  const title =
    `chain of three agents, ${PAYLOAD_BYTES} byte payload, concurrency ${concurrency}, ${outstanding} runs ` +
    `under way at saturation`;
  const rows = ROWS.flatMap(([label, of, digits]) => {
    const [raw, ours] = [of(report.anchor) ?? null, of(report.peer) ?? null];
    if (raw === null || ours === null) return [];
    return [[label, raw.toFixed(digits), ours.toFixed(digits), (ours / raw).toFixed(2)]];
  });
  return [
    { title, rows: [["", "raw BullMQ", "Suture", "ratio"], ...rows] },
    tableRatios("the same: ratios to raw BullMQ", report),
  ];
}

/** Shows what bounds throughput: CPU of Node, which shards do not spread, and of Redis, which they do. */
export function tableShards(reports: readonly Comparison[]): Table[] {
  const figures = [reports[0]?.anchor, ...reports.map(({ peer }) => peer)].filter((one) => one !== undefined);
  const counts = [1, 2, 4];
  const redisMs = figures.map((one) => one.server_cpu_ms_per_1000_hops ?? Number.NaN);
  const row = (label: string, cells: readonly number[], digits = 0): string[] => [
    label,
    ...cells.map((cell) => cell.toFixed(digits)),
  ];
  return [
    {
      title: "chain of three agents in one Node process, by the number of Redis",
      rows: [
        ["", ...counts.map((count) => `${count} Redis`)],
        row("throughput, ratio to one", [1, ...reports.map(({ pairs }) => pairs.median)], 2),
        row(
          "Node CPU, ms per 1,000 hops",
          figures.map((one) => one.node_cpu_ms_per_1000_hops),
        ),
        row("CPU of all Redis, ms per 1,000 hops", redisMs),
        row(
          "hops a second at which all Redis have a core's work each",
          redisMs.map((ms, i) => (1e6 / ms) * (counts[i] ?? 1)),
        ),
      ],
    },
  ];
}

/** Ratios of each pair and round, which a change of the machine between rounds leaves alone. */
export function tableRatios(title: string, comparison: Comparison): Table {
  const { pairs, anchor_pairs: anchor, load_averages: loads } = comparison;
  const format = (figure: number | null): string => figure?.toFixed(2) ?? "";
  return {
    title,
    rows: [
      ["", "ratio"],
      [`throughput, median of ${pairs.count} pairs in ${comparison.rounds} rounds`, format(pairs.median)],
      ["throughput, middle half of the pairs", `${format(pairs.p25)} to ${format(pairs.p75)}`],
      ["throughput, all pairs", `${format(pairs.min)} to ${format(pairs.max)}`],
      ["pairs off by more than a tenth", `${(100 * pairs.off_by_a_tenth).toFixed(0)} %`],
      ["p50 at one run at a time, median of the rounds", format(comparison.p50_ratio_single)],
      ["p99 at one run at a time, median of the rounds", format(comparison.p99_ratio_single)],
      ["p99 saturated, median of the rounds", format(comparison.p99_ratio)],
      ["CPU of Node and server, median of the pairs", format(comparison.cpu_ratio)],
      ["hops a second of what it is measured beside", `${anchor.min.toFixed(0)} to ${anchor.max.toFixed(0)}`],
      ["load average of the rounds", loads.map((load) => load.toFixed(1)).join(", ")],
    ],
  };
}
