import type { Table } from "../print-table.ts";
import { tableSteps } from "../table-steps.ts";
import type { FigureRow } from "../table-steps.ts";
import type { ScalingFigures, ScalingReport } from "./measure.ts";

const ROWS: readonly FigureRow<ScalingFigures>[] = [
  ["hops a second", (figures) => figures.hops_per_second, 0],
  ["saturated, p50 ms", ({ saturated }) => saturated.p50_ms, 0],
  ["saturated, p99 ms", ({ saturated }) => saturated.p99_ms, 0],
  ["workers' CPU, ms per 1,000 hops", (figures) => figures.worker_cpu_ms_per_1000_hops, 0],
  ["Redis CPU, ms per 1,000 hops", (figures) => figures.redis_cpu_ms_per_1000_hops, 0],
  ["cores kept busy", (figures) => figures.cores_busy, 2],
];

/** Workers, driver and Redis share the machine: where "cores kept busy" nears its number, more workers cannot help. */
export function tableScaling(report: ScalingReport): Table[] {
  const headOf = ({ workers }: ScalingFigures): string => String(workers);
  return [
    ...tableSteps("raw BullMQ by worker processes", report.bullmq, { rows: ROWS, headOf }),
    ...tableSteps("Suture by worker processes", report.suture, { rows: ROWS, headOf }),
  ];
}
