import { printTable, printTables } from "../print-table.ts";
import { SPLITS } from "./case.ts";
import type { Shares } from "./judge-answers.ts";
import type { RepairReport } from "./score-repairers.ts";
import { tableRepair } from "./table-repair.ts";

const percent = (share: number): string => (100 * share).toFixed(1);
const cells = ({ exact, wrong, refused }: Shares): string[] => [exact, wrong, refused].map(percent);

/** Prints the scores side by side, then first aid by source of damage and what it did not get of the own cases. */
export function printRepairReport(report: RepairReport): void {
  const { corpus, scores } = report;
  printTables([tableRepair(report)]);
  for (const split of SPLITS) {
    const { cases, sources } = corpus.splits[split];
    printTable(`${split}: first aid on ${cases} damaged answers, by source of damage`, [
      ["", "cases", "exact", "wrong", "refused"],
      ...Object.entries(sources).map(([name, one]) => [name, String(one.cases), ...cells(one)]),
    ]);
  }
  printTable(`own cases: ${report.cases} damaged answers that were held out, % of them`, [
    ["", "exact", "wrong", "refused", "p50 µs", "p99 µs"],
    ...scores.map((one) => [one.repairer, ...cells(one), one.p50_us.toFixed(0), one.p99_us.toFixed(0)]),
    ...report.not_installed.map((name) => [name, "not installed", "", "", "", ""]),
  ]);
  if (report.not_installed.length > 0)
    console.log("\n  To install the peers: npm ci --prefix bench/repair/peers");
  printTable("development: first aid by kind of damage, where not all are exact", [
    ["", "cases", "exact", "wrong", "refused"],
    ...Object.entries(corpus.kinds)
      .filter(([, one]) => one.exact < 1)
      .map(([name, one]) => [name, String(one.cases), ...cells(one)]),
  ]);
  if (report.failures.length === 0) return;
  console.log(
    `\n  Own cases, not exact among those that are not held out:\n    ${report.failures.slice(0, 40).join("\n    ")}`,
  );
}
