import type { Table } from "../print-table.ts";
import { SPLITS } from "./case.ts";
import type { Shares } from "./judge-answers.ts";
import type { RepairReport } from "./score-repairers.ts";

const percent = (share: number, places = 1): string => (100 * share).toFixed(places);
const cells = ({ exact, wrong, refused }: Shares): string[] => [
  percent(exact),
  percent(wrong, 2),
  percent(refused),
];

/** First aid and every peer on each split: exact, wrong and refused; then how those refused, and their times. */
export function tableRepair({ cases, scores, splits }: RepairReport): Table {
  const of = (index: number): string[] =>
    SPLITS.map((split) => {
      const score = splits[split][index];
      return score === undefined ? "" : cells(score).join(" / ");
    });
  return {
    title: `${cases} damaged answers by split: exact / wrong / refused in %`,
    rows: [
      ["", ...SPLITS.map((split) => split.replaceAll("_", " ")), "outside the contract", "threw", "p50 µs"],
      ...scores.map((score, index) => [
        score.repairer,
        ...of(index),
        ...[score.outside, score.threw].map((share) => percent(share)),
        score.p50_us.toFixed(0),
      ]),
    ],
  };
}

/** First aid by kind of damage, where not all are exact, and on the own cases that were held out. */
export function tableKinds({ kinds, own }: RepairReport): Table {
  const rows = Object.entries(kinds)
    .filter(([, one]) => one.exact < 1)
    .map(([name, one]) => [name, String(one.cases), ...cells(one)]);
  return {
    title: "first aid by kind of damage in development, where not all are exact, and on own cases, held out",
    rows: [
      ["", "cases", "exact", "wrong", "refused"],
      ...rows,
      ["own cases", String(own.cases), ...cells(own)],
    ],
  };
}
