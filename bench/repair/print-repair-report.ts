import { printTable } from "../print-table.ts";
import type { RepairReport } from "./score-repairers.ts";

/** Prints the held-out scores side by side, then what first aid did not get among the other cases. */
export function printRepairReport(report: RepairReport): void {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  printTable(`repair of ${report.cases} damaged answers that were held out`, [
    ["", "exact", "wrong", "refused", "p50 µs", "p99 µs"],
    ...report.scores.map((score) => [
      score.repairer,
      percent(score.exact),
      percent(score.wrong),
      percent(score.refused),
      score.p50_us.toFixed(0),
      score.p99_us.toFixed(0),
    ]),
    ...report.not_installed.map((name) => [name, "not installed", "", "", "", ""]),
  ]);
  if (report.not_installed.length > 0)
    console.log("\n  To install the peers: npm ci --prefix bench/repair/peers");
  if (report.failures.length === 0) return;
  console.log(`\n  Not exact among the others:\n    ${report.failures.slice(0, 40).join("\n    ")}`);
}
