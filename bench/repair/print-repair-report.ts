import { printTable } from "../print-table.ts";
import type { RepairReport } from "./score-repairers.ts";

/** Prints the scores side by side, then what each repairer got wrong or refused, by the damage. */
export function printRepairReport({ scores, ratio_to_peer }: RepairReport): void {
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  printTable(`repair of ${scores[0]?.cases ?? 0} damaged answers`, [
    ["", "exact", "wrong", "refused", "p50 µs", "p99 µs"],
    ...scores.map((score) => [
      score.repairer,
      percent(score.exact),
      percent(score.wrong),
      percent(score.refused),
      score.p50_us.toFixed(0),
      score.p99_us.toFixed(0),
    ]),
  ]);
  console.log(`\n  exact answers: ${ratio_to_peer.toFixed(2)} times those of jsonrepair with validation`);
  for (const { repairer, failures } of scores) {
    const told = Object.entries(failures).map(([failure, count]) => `${failure} ${count}`);
    if (told.length > 0) console.log(`\n  ${repairer}\n    ${told.join("\n    ")}`);
  }
}
