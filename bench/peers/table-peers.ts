import type { PeerFigures } from "../chain/report.ts";
import type { Table } from "../print-table.ts";
import type { PeersReport } from "./measure.ts";
import { ANCHOR_ROW } from "./peers.ts";

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

/** Raw BullMQ as it was beside the first peer, and each peer with its ratios to raw BullMQ beside it. */
export function tablePeers(report: PeersReport): Table[] {
  const measured = report.peers.flatMap((peer) => ("not_available" in peer ? [] : [peer]));
  const missing = report.peers.flatMap((peer) =>
    "not_available" in peer ? [[peer.title, `not available: ${peer.not_available}`]] : [],
  );
  const anchor = measured
    .slice(0, 1)
    .map((first) => toCells(ANCHOR_ROW.title, first.anchor, ["1.00", "", "1.00"]));
  const rows = measured.map(({ title, pairs, cpu_ratio: cpu, peer }) =>
    toCells(title, peer, [
      pairs.median.toFixed(2),
      `${pairs.min.toFixed(2)} to ${pairs.max.toFixed(2)}`,
      cpu?.toFixed(2) ?? "",
    ]),
  );
  return [
    {
      title: "three steps with 2,048 bytes of payload, 100 runs under way, each in one Node process",
      rows: [HEADS, ...anchor, ...rows],
    },
    {
      title: "what a finished step means",
      rows: [
        ["", "promise"],
        ...[ANCHOR_ROW, ...measured].map(({ title, promise }) => [title, promise]),
        ...missing,
      ],
    },
  ];
}

function toCells(
  title: string,
  figures: PeerFigures,
  [speed, range, cpu]: readonly [string, string, string],
): string[] {
  return [
    title,
    figures.hops_per_second.toFixed(0),
    speed,
    range,
    figures.single.p50_ms.toFixed(1),
    figures.single.p99_ms.toFixed(1),
    figures.saturated.p50_ms.toFixed(0),
    figures.saturated.p99_ms.toFixed(0),
    figures.node_cpu_ms_per_1000_hops.toFixed(0),
    figures.server_cpu_ms_per_1000_hops?.toFixed(0) ?? "",
    cpu,
  ];
}
