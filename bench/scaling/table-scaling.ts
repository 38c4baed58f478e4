import type { Table } from "../print-table.ts";
import type { ScalingFigures, ScalingReport } from "./measure.ts";

const ROWS: readonly (readonly [string, (figures: ScalingFigures) => number, number])[] = [
  ["hops a second", (figures) => figures.hops_per_second, 0],
  ["saturated, p50 ms", ({ saturated }) => saturated.p50_ms, 0],
  ["saturated, p99 ms", ({ saturated }) => saturated.p99_ms, 0],
  ["workers' CPU, ms per 1,000 hops", (figures) => figures.worker_cpu_ms_per_1000_hops, 0],
  ["Redis CPU, ms per 1,000 hops", (figures) => figures.redis_cpu_ms_per_1000_hops, 0],
  ["cores kept busy", (figures) => figures.cores_busy, 2],
];

/** Workers, driver and Redis share the machine: where "cores kept busy" nears its number, more workers cannot help. */
export function tableScaling(report: ScalingReport): Table[] {
  return [
    ...tablePeer("raw BullMQ by worker processes", report.bullmq),
    ...tablePeer("Suture by worker processes", report.suture),
  ];
}

function tablePeer(title: string, steps: readonly ScalingFigures[]): Table[] {
  const [one, ...more] = steps;
  if (one === undefined) return [];
  const heads = more.flatMap(({ workers }) => [String(workers), "ratio"]);
  const rows = ROWS.map(([label, of, digits]) => [
    label,
    of(one).toFixed(digits),
    ...more.flatMap((step) => [of(step).toFixed(digits), (of(step) / of(one)).toFixed(2)]),
  ]);
  return [{ title, rows: [["", String(one.workers), ...heads], ...rows] }];
}
