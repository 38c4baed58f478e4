import { availableParallelism } from "node:os";
import { printTable } from "../print-table.ts";
import type { ScalingFigures, ScalingReport } from "./measure.ts";

const ROWS: readonly (readonly [string, (figures: ScalingFigures) => number, number])[] = [
  ["hops a second", (figures) => figures.hops_per_second, 0],
  ["saturated, p50 ms", ({ saturated }) => saturated.p50_ms, 0],
  ["saturated, p99 ms", ({ saturated }) => saturated.p99_ms, 0],
  ["workers' CPU, ms per 1,000 hops", (figures) => figures.worker_cpu_ms_per_1000_hops, 0],
  ["Redis CPU, ms per 1,000 hops", (figures) => figures.redis_cpu_ms_per_1000_hops, 0],
  ["cores kept busy", (figures) => figures.cores_busy, 2],
];

export function printScalingReport(report: ScalingReport): void {
  printPeer("raw BullMQ by worker processes", report.bullmq);
  printPeer("Suture by worker processes", report.suture);
  console.log(
    `\n  This machine has ${availableParallelism()} cores, which workers, the driver and Redis share: throughput cannot grow past ` +
      `"cores kept busy" reaching that number.`,
  );
}

function printPeer(title: string, steps: readonly ScalingFigures[]): void {
  const [one, ...more] = steps;
  if (one === undefined) return;
  const heads = more.flatMap(({ workers }) => [String(workers), "ratio"]);
  printTable(title, [
    ["", String(one.workers), ...heads],
    ...ROWS.map(([label, of, digits]) => [
      label,
      of(one).toFixed(digits),
      ...more.flatMap((step) => [of(step).toFixed(digits), (of(step) / of(one)).toFixed(2)]),
    ]),
  ]);
}
