import type { Table } from "../print-table.ts";
import type { ChainComparison, ChainReport, PeerFigures } from "./report.ts";

/** Figures of one row, and the digits they are told with. */
const ROWS: readonly (readonly [string, (figures: PeerFigures) => number | null, number])[] = [
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
  ["bytes to the append-only file per hop", (peer) => peer.aof_bytes_per_hop, 0],
];

export function tableChain(report: ChainReport): Table[] {
  const { concurrency, outstanding } = report.settings;
  const title =
    `chain of three agents, ${report.payload_bytes} byte payload, concurrency ${concurrency}, ${outstanding} runs ` +
    `under way at saturation`;
  const { replicated } = report;
  return [
    ...tableComparison(title, report, "Suture"),
    ...("not_available" in replicated
      ? [
          {
            title: "each write confirmed by a replica",
            rows: [["not available"], [replicated.not_available]],
          },
        ]
      : tableComparison("the same, each write confirmed by a replica", replicated, "Suture, replicated")),
  ];
}

function tableComparison(title: string, comparison: ChainComparison, name: string): Table[] {
  const { bullmq, suture } = comparison.peers;
  const rows = ROWS.flatMap(([label, of, digits]) => {
    const [raw, ours] = [of(bullmq), of(suture)];
    return raw === null || ours === null ? [] : [row(label, { raw, ours, digits })];
  });
  return [{ title, rows: [["", "raw BullMQ", name, "ratio"], ...rows] }, tableSpread(title, comparison)];
}

/** Ratios of each pair and round, which a change of the machine between rounds leaves alone. */
function tableSpread(title: string, comparison: ChainComparison): Table {
  const { pairs, anchor_pairs: anchor } = comparison;
  const tell = (figure: number): string => figure.toFixed(2);
  return {
    title: `ratios to raw BullMQ, ${title}`,
    rows: [
      ["", "ratio"],
      [`throughput, median of ${pairs.count} pairs in ${comparison.rounds} rounds`, tell(pairs.median)],
      ["throughput, middle half of the pairs", `${tell(pairs.p25)} to ${tell(pairs.p75)}`],
      ["throughput, all pairs", `${tell(pairs.min)} to ${tell(pairs.max)}`],
      ["pairs off by more than a tenth", `${(100 * pairs.off_by_a_tenth).toFixed(0)} %`],
      ["p50 at one run at a time, median of the rounds", tell(comparison.p50_ratio_to_bullmq_single)],
      ["p99 at one run at a time, median of the rounds", tell(comparison.p99_ratio_to_bullmq_single)],
      ["p99 saturated, median of the rounds", tell(comparison.p99_ratio_to_bullmq)],
      ["CPU of Node and Redis, median of the pairs", tell(comparison.cpu_ratio_to_bullmq)],
      ["raw BullMQ's own hops a second", `${anchor.min.toFixed(0)} to ${anchor.max.toFixed(0)}`],
      ["load average of the rounds", comparison.load_averages.map((load) => load.toFixed(1)).join(", ")],
    ],
  };
}

function row(
  label: string,
  { raw, ours, digits }: { readonly raw: number; readonly ours: number; readonly digits: number },
): string[] {
  return [label, raw.toFixed(digits), ours.toFixed(digits), (ours / raw).toFixed(2)];
}
