import { printTable } from "../print-table.ts";
import type { ChainComparison, ChainReport, PeerFigures } from "./report.ts";

/** What a crash may cost, of each: the two do not promise the same. */
export const PROMISES: readonly (readonly [string, string, string])[] = [
  ["Redis killed (-9)", "nothing lost", "nothing lost"],
  ["machine loses power", "up to 1 s of writes", "up to 1 s of writes"],
  ["worker killed between handing on and finishing", "hands on twice", "hands on once"],
  ["what a run did can be read afterwards", "no", "yes, every delivery"],
  ["a changed or forged message", "is worked on", "quarantined unread"],
  ["a payload against its contract", "is worked on", "stopped at the handoff"],
];

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

export function printChainReport(report: ChainReport): void {
  const { concurrency, outstanding } = report.settings;
  printTable("what each keeps when something breaks", [["", "raw BullMQ", "Suture"], ...PROMISES]);
  const title =
    `chain of three agents, ${report.payload_bytes} byte payload, concurrency ${concurrency}, ${outstanding} runs ` +
    `under way at saturation`;
  printComparison(title, report, "Suture");
  const { replicated } = report;
  if ("not_available" in replicated)
    console.log(`\n  replicated: not available, ${replicated.not_available}`);
  else printComparison("the same, each write confirmed by a replica", replicated, "Suture, replicated");
}

function printComparison(title: string, comparison: ChainComparison, name: string): void {
  const { bullmq, suture } = comparison.peers;
  printTable(title, [
    ["", "raw BullMQ", name, "ratio"],
    ...ROWS.flatMap(([label, of, digits]) => {
      const [raw, ours] = [of(bullmq), of(suture)];
      return raw === null || ours === null ? [] : [row(label, { raw, ours, digits })];
    }),
  ]);
  const { pairs, anchor_pairs: anchor } = comparison;
  const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
  console.log(
    `\n  throughput ${pairs.median.toFixed(2)} of raw BullMQ: median of ${pairs.count} pairs in ${comparison.rounds} rounds, ` +
      `middle half ${pairs.p25.toFixed(2)} to ${pairs.p75.toFixed(2)}, all ${pairs.min.toFixed(2)} to ${pairs.max.toFixed(2)}; ` +
      `${percent(pairs.off_by_a_tenth)} of the pairs were off by more than a tenth.\n` +
      `  By rounds' and pairs' own ratios: p50 ${comparison.p50_ratio_to_bullmq_single.toFixed(2)} and p99 ` +
      `${comparison.p99_ratio_to_bullmq_single.toFixed(2)} at one run at a time, p99 ${comparison.p99_ratio_to_bullmq.toFixed(2)} ` +
      `saturated, CPU ${comparison.cpu_ratio_to_bullmq.toFixed(2)}.\n` +
      `  The machine: raw BullMQ itself went from ${anchor.min.toFixed(0)} to ${anchor.max.toFixed(0)} hops a second; load average ` +
      `${comparison.load_averages.map((load) => load.toFixed(1)).join(", ")}.`,
  );
}

function row(
  label: string,
  { raw, ours, digits }: { readonly raw: number; readonly ours: number; readonly digits: number },
): string[] {
  return [label, raw.toFixed(digits), ours.toFixed(digits), (ours / raw).toFixed(2)];
}
