import { firstAid } from "#shared/repair";
import type { Table } from "../print-table.ts";
import { corpusCases, isHeldOut, ownCases, SPLITS } from "./case.ts";
import type { Case, CorpusCase, Split } from "./case.ts";
import { judgeAll, scoreOf, sharesBy } from "./judge-answers.ts";
import type { Judged, Repairer, RepairScore, Shares } from "./judge-answers.ts";
import { loadPeers } from "./load-peers.ts";

/** Figures of `--json` under `repair`. Scores: first aid first, then every peer. */
export interface RepairReport {
  readonly cases: number;
  /** Of all splits together. */
  readonly scores: readonly RepairScore[];
  readonly splits: Readonly<Record<Split, readonly RepairScore[]>>;
  /** First aid by kind of damage, in `development` alone. */
  readonly kinds: Readonly<Record<string, Shares>>;
  /** First aid on the own cases that are held out. */
  readonly own: RepairScore;
}

/** A case that is not held out and that first aid did not get. */
interface Failure extends Omit<Case, "class"> {
  readonly verdict: "wrong" | "refused";
  /** Absent where it refused. */
  readonly got?: unknown;
}

const OURS: Repairer = {
  name: "first aid",
  repair: (input, schema) => {
    const result = firstAid(input, schema);
    return result.ok ? result.value : undefined;
  },
};

/** Lets first aid and its peers try the same cases. Nothing held out is listed one by one. */
export async function scoreRepairers(): Promise<{ report: RepairReport; failures: Failure[] }> {
  const cases = corpusCases();
  const tried: { name: string; judged: Judged<CorpusCase>[] }[] = [];
  for (const { name, repair } of [OURS, ...(await loadPeers())])
    tried.push({ name, judged: await judgeAll(cases, repair) });
  const scoresOf = (isOf: (one: Judged<CorpusCase>) => boolean): RepairScore[] =>
    tried.map(({ name, judged }) => scoreOf(name, judged.filter(isOf)));
  const ours = tried[0]?.judged.filter((one) => one.case.split === "development") ?? [];
  const own = await judgeAll(ownCases(), OURS.repair);
  const [development, kinds, contracts, both] = SPLITS;
  const ofSplit = (split: Split): RepairScore[] => scoresOf((one) => one.case.split === split);
  const report: RepairReport = {
    cases: cases.length,
    scores: scoresOf(() => true),
    splits: {
      development: ofSplit(development),
      held_out_kinds: ofSplit(kinds),
      held_out_contracts: ofSplit(contracts),
      held_out_both: ofSplit(both),
    },
    kinds: sharesBy(ours, (one) => one.kinds[0] ?? ""),
    own: scoreOf(
      OURS.name,
      own.filter((one) => isHeldOut(one.case)),
    ),
  };
  const known = own.filter((one) => !isHeldOut(one.case));
  return { report, failures: [...ours, ...known].flatMap(failureOf) };
}

function failureOf({ case: one, verdict, got }: Judged<Case>): Failure[] {
  if (verdict === "exact") return [];
  const { id, input, schema, right } = one;
  return [{ id, verdict, input, schema, right, ...(got === undefined ? {} : { got }) }];
}

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
