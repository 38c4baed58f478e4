import type { Table } from "../print-table.ts";
import type { CrowdReport } from "./measure-crowd.ts";
import type { OverheadReport, Spread } from "./measure-overhead.ts";

export interface AttachedReport {
  readonly overhead: OverheadReport;
  readonly crowd: CrowdReport;
}

export function tableAttached({ overhead, crowd }: AttachedReport): Table[] {
  const perSecond = (all: readonly number[]): string =>
    `${Math.min(...all).toFixed(0)} to ${Math.max(...all).toFixed(0)}`;
  const spread = ({ median, low, high }: Spread): string =>
    `${median.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
  return [
    {
      title: "jobs that succeed, rounds in turn",
      rows: [
        ["", "jobs a second"],
        ["plain", perSecond(overhead.plain)],
        ["with a ward", perSecond(overhead.attached)],
        ["median of their ratios, and its 95 %", spread(overhead.ratio)],
        ["the same of plain beside plain", spread(overhead.control)],
        ["CPU time of the worker, ratio", spread(overhead.cpu)],
        ["the same of plain beside plain", spread(overhead.cpu_control)],
      ],
    },
    {
      title: `a ward beside ${crowd.jobs} failed jobs`,
      rows: [
        ["", ""],
        ["groups", String(crowd.groups)],
        ["first groups after, ms", crowd.first_ms.toFixed(0)],
        ["all groups after, ms", crowd.all_ms.toFixed(0)],
        ["all sent back in, ms", crowd.redrive_ms.toFixed(0)],
        ["sent back", String(crowd.redriven)],
        ["heap at most above the start, MiB", crowd.heap_mib.toFixed(0)],
        ["memory at most above the start, MiB", crowd.rss_mib.toFixed(0)],
        ["commands over 10 ms (SLOWLOG)", String(crowd.slow_commands)],
        ["ping of another client, 99.9 %, ms", crowd.ping_p999_ms.toFixed(1)],
        ["ping of another client, longest, ms", crowd.ping_max_ms.toFixed(1)],
      ],
    },
  ];
}
