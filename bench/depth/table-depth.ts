import type { Table } from "../print-table.ts";
import { tableSteps } from "../table-steps.ts";
import type { FigureRow } from "../table-steps.ts";
import type { DepthFigures, DepthReport } from "./measure.ts";

const MEGABYTE = 1024 * 1024;

const ROWS: readonly FigureRow<DepthFigures>[] = [
  ["waiting aside: hops a second", (depth) => depth.aside.hops_per_second, 0],
  ["waiting aside: one run at a time, p50 ms", (depth) => depth.aside.single.p50_ms, 2],
  ["waiting aside: one run at a time, p99 ms", (depth) => depth.aside.single.p99_ms, 2],
  ["waiting aside: Node CPU, ms per 1,000 hops", (depth) => depth.aside.node_cpu_ms_per_1000_hops, 0],
  ["waiting aside: Redis CPU, ms per 1,000 hops", (depth) => depth.aside.redis_cpu_ms_per_1000_hops, 0],
  ["waiting in line: hops a second", (depth) => depth.in_line.hops_per_second, 0],
  ["waiting in line: urgent run, p50 ms", (depth) => depth.in_line.urgent.p50_ms, 1],
  ["waiting in line: urgent run, p99 ms", (depth) => depth.in_line.urgent.p99_ms, 1],
  ["waiting in line: Node CPU, ms per 1,000 hops", (depth) => depth.in_line.node_cpu_ms_per_1000_hops, 0],
  ["waiting in line: Redis CPU, ms per 1,000 hops", (depth) => depth.in_line.redis_cpu_ms_per_1000_hops, 0],
  ["worker's resident memory, MB", (depth) => depth.process.rssBytes / MEGABYTE, 0],
  ["worker's heap in use, MB", (depth) => depth.process.heapUsedBytes / MEGABYTE, 1],
  ["Redis bytes for each that waits", (depth) => depth.redis_bytes_per_waiting, 0],
];

export function tableDepth(report: DepthReport): Table[] {
  const headOf = ({ waiting }: DepthFigures): string => `${waiting} waiting`;
  return [
    ...tableSteps("raw BullMQ with messages waiting", report.bullmq, { rows: ROWS, headOf }),
    ...tableSteps("Suture with messages waiting", report.suture, { rows: ROWS, headOf }),
  ];
}
