import { firstAid } from "#shared/repair";
import { SPLITS, corpusCases, isHeldOut, ownCases } from "./case.ts";
import type { Case, CorpusCase, Split } from "./case.ts";
import { judgeAll, scoreOf, sharesBy } from "./judge-answers.ts";
import type { Judged, RepairScore, Repairer, Shares } from "./judge-answers.ts";
import { loadPeers } from "./load-peers.ts";

/** What `--json` holds under `repair`. Scores: first aid first, then every peer. */
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
export interface Failure extends Omit<Case, "class"> {
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
