import { printTable } from "../print-table.ts";
import type { PeerReport, PeersReport } from "./measure.ts";

const HEADS = [
  "",
  "hops/s",
  "x raw BullMQ",
  "all pairs",
  "single p50 ms",
  "p99 ms",
  "saturated p50 ms",
  "p99 ms",
  "CPU ms/1,000 hops, Node",
  "server",
  "x raw",
];

export function printPeersReport(report: PeersReport): void {
  const measured = report.peers.flatMap((peer) => ("not_available" in peer ? [] : [peer]));
  const rows = [report.bullmq, ...measured].map(toCells);
  printTable("three steps with 2,048 bytes of payload, 100 runs under way, each in one Node process", [
    HEADS,
    ...rows,
  ]);
  printTable("what a finished step means", [
    ["", "promise"],
    ...[report.bullmq, ...measured].map(({ title, promise }) => [title, promise]),
  ]);
  for (const peer of report.peers) {
    if ("not_available" in peer) console.log(`\n  ${peer.title}: not available, ${peer.not_available}`);
  }
}

function toCells(peer: PeerReport): string[] {
  const { min, max } = peer.pairs;
  return [
    peer.title,
    peer.hops_per_second.toFixed(0),
    peer.ratio_to_bullmq.toFixed(2),
    `${min.toFixed(2)} to ${max.toFixed(2)}`,
    peer.single.p50_ms.toFixed(1),
    peer.single.p99_ms.toFixed(1),
    peer.saturated.p50_ms.toFixed(0),
    peer.saturated.p99_ms.toFixed(0),
    peer.node_cpu_ms_per_1000_hops.toFixed(0),
    peer.server_cpu_ms_per_1000_hops?.toFixed(0) ?? "",
    peer.cpu_ratio_to_bullmq?.toFixed(2) ?? "",
  ];
}
