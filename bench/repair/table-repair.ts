import type { Table } from "../print-table.ts";
import { SPLITS } from "./case.ts";
import type { RepairReport } from "./score-repairers.ts";

const percent = (share: number, places = 1): string => (100 * share).toFixed(places);

/** First aid and every peer on each split: exact, wrong and refused; then how those refused, and their times. */
export function tableRepair({ corpus }: RepairReport): Table {
  const splits = SPLITS.map((split) => corpus.splits[split]);
  const of = (index: number): string[] =>
    splits.map(({ scores }) => {
      const score = scores[index];
      return score === undefined
        ? ""
        : `${percent(score.exact)} / ${percent(score.wrong, 2)} / ${percent(score.refused)}`;
    });
  return {
    title: `${corpus.cases} damaged answers by split: exact / wrong / refused in %`,
    rows: [
      [
        "",
        ...SPLITS.map((split) => split.replaceAll("_", " ")),
        "outside the contract",
        "threw",
        "stuck",
        "p50 µs",
      ],
      ...corpus.scores.map((score, index) => [
        score.repairer,
        ...of(index),
        ...[score.outside, score.threw, score.stuck].map((share) => percent(share)),
        score.p50_us.toFixed(0),
      ]),
    ],
  };
}
