import type { Table } from "../print-table.ts";
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

export function tablePeers(report: PeersReport): Table[] {
  const measured = report.peers.flatMap((peer) => ("not_available" in peer ? [] : [peer]));
  const missing = report.peers.flatMap((peer) =>
    "not_available" in peer ? [[peer.title, `not available: ${peer.not_available}`]] : [],
  );
  const all = [report.bullmq, ...measured];
  return [
    {
      title: "three steps with 2,048 bytes of payload, 100 runs under way, each in one Node process",
      rows: [HEADS, ...all.map(toCells)],
    },
    {
      title: "what a finished step means",
      rows: [["", "promise"], ...all.map(({ title, promise }) => [title, promise]), ...missing],
    },
  ];
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
