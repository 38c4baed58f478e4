import { judgeAll, scoreOf, sharesBy } from "./judge-answers.ts";
import type { Judged, RepairScore, Shares } from "./judge-answers.ts";
import { corpusCases } from "./case.ts";
import type { Case, CorpusCase, Split } from "./case.ts";
import type { Repairer } from "./repairer.ts";

interface SplitScores {
  readonly cases: number;
  /** First aid first, then every peer. */
  readonly scores: readonly RepairScore[];
  /** First aid by source of damage. */
  readonly sources: Readonly<Record<string, Shares>>;
}

export interface CorpusReport {
  readonly cases: number;
  /** Of all splits together; first aid first, then every peer. */
  readonly scores: readonly RepairScore[];
  readonly splits: Readonly<Record<Split, SplitScores>>;
  /** First aid by kind of damage, in `development` alone. */
  readonly kinds: Readonly<Record<string, Shares>>;
}

/** A case of `development` that first aid did not get. */
export interface CorpusFailure {
  readonly id: string;
  readonly verdict: "wrong" | "refused";
  readonly text: string;
  readonly schema: CorpusCase["schema"];
  readonly right: CorpusCase["right"];
  /** Absent where it refused. */
  readonly got?: unknown;
}

/** A peer, and how it is judged. */
export interface JudgedPeer {
  readonly name: string;
  readonly judge: <One extends Case>(cases: readonly One[]) => Promise<Judged<One>[]>;
}

/** Lets first aid and its peers try the same cases. Nothing held out is listed one by one. */
export async function scoreCorpus([firstAid, ...peers]: readonly [Repairer, ...JudgedPeer[]]): Promise<{
  report: CorpusReport;
  failures: CorpusFailure[];
}> {
  const cases = corpusCases();
  const ours = await judgeAll(cases, firstAid.repair);
  const theirs: { name: string; judged: Judged<CorpusCase>[] }[] = [];
  for (const { name, judge } of peers) theirs.push({ name, judged: await judge(cases) });
  const scoresOf = (split: Split): SplitScores => {
    const isOf = (one: Judged<CorpusCase>): boolean => one.case.split === split;
    const some = ours.filter(isOf);
    return {
      cases: some.length,
      scores: [
        scoreOf(firstAid.name, some),
        ...theirs.map(({ name, judged }) => scoreOf(name, judged.filter(isOf))),
      ],
      sources: sharesBy(some, (one) => one.class),
    };
  };
  const development = ours.filter((one) => one.case.split === "development");
  const report: CorpusReport = {
    cases: cases.length,
    scores: [scoreOf(firstAid.name, ours), ...theirs.map(({ name, judged }) => scoreOf(name, judged))],
    splits: {
      development: scoresOf("development"),
      held_out_kinds: scoresOf("held_out_kinds"),
      held_out_contracts: scoresOf("held_out_contracts"),
      held_out_both: scoresOf("held_out_both"),
    },
    kinds: sharesBy(development, (one) => one.kinds[0] ?? ""),
  };
  return { report, failures: development.flatMap(failureOf) };
}

function failureOf({ case: one, verdict, got }: Judged<CorpusCase>): CorpusFailure[] {
  if (verdict === "exact") return [];
  const { id, input, schema, right } = one;
  return [{ id, verdict, text: input, schema, right, ...(got === undefined ? {} : { got }) }];
}
