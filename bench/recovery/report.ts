import { printTable } from "../print-table.ts";
import { quantile } from "../quantile.ts";
import { measureRecovery } from "./measure.ts";

/** What `npm run bench -- recovery` says. */
export interface RecoveryReport {
  readonly kills: number;
  readonly p50_ms: number;
  readonly max_ms: number;
  readonly all_ms: readonly number[];
  /** Kills after which the same process had the message, or the run did not complete. 0 is right. */
  readonly wrong: number;
}

const LIMIT_MS_PER_KILL = 60_000;

/** Measures and prints how long the work of a killed process is in nobody's hands. */
export async function reportRecovery(
  url: string,
  options: { readonly kills: number; readonly say: (line: string) => void },
): Promise<RecoveryReport> {
  const signal = AbortSignal.timeout(options.kills * LIMIT_MS_PER_KILL);
  const measured = await measureRecovery({ ...options, url, prefix: "recovery", signal });
  const all = measured.map((one) => Math.round(one.takeOverMs)).toSorted((a, b) => a - b);
  const wrong = measured.filter(
    (one) => one.killedPid === one.takenOverByPid || one.status !== "completed",
  ).length;
  const report = {
    kills: options.kills,
    p50_ms: quantile(all, 0.5),
    max_ms: quantile(all, 1),
    all_ms: all,
    wrong,
  };
  printTable("A worker process is killed with a message in hand, all settings at their defaults", [
    ["", "kills", "p50 ms", "max ms"],
    [
      "until another process has begun with it",
      String(report.kills),
      String(report.p50_ms),
      String(report.max_ms),
    ],
  ]);
  return report;
}
