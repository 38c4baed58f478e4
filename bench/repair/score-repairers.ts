import { isDeepStrictEqual } from "node:util";
import { jsonrepair } from "jsonrepair";
import { firstAid, validate } from "#shared/surgery";
import type { JsonValue } from "#shared/surgery";
import { quantile } from "../quantile.ts";
import { makeCases, SCHEMA } from "./cases.ts";
import type { Case } from "./cases.ts";

type Repairer = (input: string) => JsonValue | undefined;
type Verdict = "exact" | "wrong" | "refused";

/** How one repairer did. Shares are of all cases, 0 to 1. */
export interface RepairScore {
  readonly repairer: string;
  readonly cases: number;
  readonly exact: number;
  readonly wrong: number;
  readonly refused: number;
  readonly p50_us: number;
  readonly p99_us: number;
  /** Cases that were not exact, by damage and verdict. */
  readonly failures: Readonly<Record<string, number>>;
}

/** `ratio_to_peer`: exact answers of first aid by those of jsonrepair with validation, in the same run. */
export interface RepairReport {
  readonly ratio_to_peer: number;
  readonly scores: readonly RepairScore[];
}

const repairers: Readonly<Record<string, Repairer>> = {
  "first aid": (input) => {
    const result = firstAid(input, SCHEMA);
    return result.ok ? result.value : undefined;
  },
  "jsonrepair + validation": (input) => {
    try {
      // jsonrepair writes JSON; what it parses to is JSON.
      const value = JSON.parse(jsonrepair(input)) as JsonValue;
      return validate(value, SCHEMA).length === 0 ? value : undefined;
    } catch {
      return undefined;
    }
  },
};

/** Damages good answers in every way and lets each repairer try. The same cases for the same seed. */
export function scoreRepairers({
  seed,
  answers,
}: {
  readonly seed: number;
  readonly answers: number;
}): RepairReport {
  const cases = makeCases(seed, answers);
  const scores = Object.entries(repairers).map(([name, repair]) => score(name, { repair, cases }));
  const [ours, peer] = scores;
  return { ratio_to_peer: (ours?.exact ?? 0) / (peer?.exact ?? 0), scores };
}

function score(
  repairer: string,
  { repair, cases }: { readonly repair: Repairer; readonly cases: readonly Case[] },
): RepairScore {
  const counts: Record<Verdict, number> = { exact: 0, wrong: 0, refused: 0 };
  const failures: Record<string, number> = {};
  const micros: number[] = [];
  for (const one of cases) {
    const startedAt = performance.now();
    const answer = repair(one.input);
    micros.push((performance.now() - startedAt) * 1000);
    const verdict = judge(one, answer);
    counts[verdict] += 1;
    const failure = `${one.kind}: ${verdict}`;
    if (verdict !== "exact") failures[failure] = (failures[failure] ?? 0) + 1;
  }
  return {
    repairer,
    cases: cases.length,
    exact: counts.exact / cases.length,
    wrong: counts.wrong / cases.length,
    refused: counts.refused / cases.length,
    p50_us: quantile(micros, 0.5),
    p99_us: quantile(micros, 0.99),
    failures,
  };
}

function judge(one: Case, answer: JsonValue | undefined): Verdict {
  if (answer === undefined) return one.expected === undefined ? "exact" : "refused";
  return one.expected !== undefined && isDeepStrictEqual(answer, one.expected) ? "exact" : "wrong";
}
