import { isDeepStrictEqual } from "node:util";
import { validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { quantile } from "../quantile.ts";
import type { Case } from "./case.ts";
import type { Repair } from "./repairer.ts";

export type Verdict = "exact" | "wrong" | "refused";

/** Shares of the cases looked at, 0 to 1. */
export interface Shares {
  readonly cases: number;
  readonly exact: number;
  readonly wrong: number;
  readonly refused: number;
}

/** How one repairer did. */
export interface RepairScore extends Shares {
  readonly repairer: string;
  readonly p50_us: number;
  readonly p99_us: number;
}

/** What a repairer made of a case. */
export interface Judged<One extends Case> {
  readonly case: One;
  readonly verdict: Verdict;
  /** Undefined where it refused. */
  readonly got: JsonValue | undefined;
  readonly micros: number;
}

/** Lets a repairer try every case. A warm-up run comes first. */
export async function judgeAll<One extends Case>(
  cases: readonly One[],
  repair: Repair,
): Promise<Judged<One>[]> {
  for (const one of cases.slice(0, 300)) await attempt(repair, one);
  const judged: Judged<One>[] = [];
  for (const one of cases) {
    const startedAt = performance.now();
    const got = await attempt(repair, one);
    const micros = (performance.now() - startedAt) * 1000;
    judged.push({ case: one, verdict: judge(one, got), got, micros });
  }
  return judged;
}

export function scoreOf(repairer: string, judged: readonly Judged<Case>[]): RepairScore {
  const micros = judged.map((one) => one.micros);
  return { repairer, ...sharesOf(judged), p50_us: quantile(micros, 0.5), p99_us: quantile(micros, 0.99) };
}

export function sharesOf(judged: readonly { readonly verdict: Verdict }[]): Shares {
  const share = (verdict: Verdict): number =>
    judged.filter((one) => one.verdict === verdict).length / Math.max(1, judged.length);
  return { cases: judged.length, exact: share("exact"), wrong: share("wrong"), refused: share("refused") };
}

/** Shares by a name that each case has. */
export function sharesBy<One extends Case>(
  judged: readonly Judged<One>[],
  nameOf: (one: One) => string,
): Record<string, Shares> {
  const groups = Object.entries(Object.groupBy(judged, (one) => nameOf(one.case)));
  return Object.fromEntries(groups.map(([name, some]) => [name, sharesOf(some ?? [])]));
}

/** A repairer's answer, held against the schema as every caller must; undefined where it refuses or throws. */
async function attempt(repair: Repair, { input, schema }: Case): Promise<JsonValue | undefined> {
  try {
    const given = repair(input, schema);
    const answer = given instanceof Promise ? await given : given;
    if (!isJson(answer)) return undefined;
    return schema === undefined || validate(answer, schema).length === 0 ? answer : undefined;
  } catch {
    return undefined;
  }
}

function judge({ right }: Case, answer: JsonValue | undefined): Verdict {
  if (answer === undefined) return "value" in right ? "refused" : "exact";
  return "value" in right && isDeepStrictEqual(answer, right.value) ? "exact" : "wrong";
}

/** Whether an answer is JSON at all. */
function isJson(value: unknown): value is JsonValue {
  try {
    return value !== undefined && JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
