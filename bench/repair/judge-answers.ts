import type { JsonSchema } from "#shared/json";
import { isDeepStrictEqual } from "node:util";
import { validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { quantile } from "../quantile.ts";
import type { Case } from "./case.ts";

/** Reads a damaged text; what it gives is validated afterwards. Throws or gives undefined where it refuses. */
export type Repair = (input: string, schema: JsonSchema | undefined) => unknown;

export interface Repairer {
  readonly name: string;
  readonly repair: Repair;
}

type Verdict = "exact" | "wrong" | "refused";

/** Shares of the cases looked at, 0 to 1. */
export interface Shares {
  readonly cases: number;
  readonly exact: number;
  readonly wrong: number;
  readonly refused: number;
}

/** End of an attempt: an answer within or outside the contract, none, or a throw. All but the first are refusals. */
type Ending = "answered" | "outside" | "nothing" | "threw";

/** Scores of one repairer. */
export interface RepairScore extends Shares {
  readonly repairer: string;
  /** Shares of all cases that are among the refused. */
  readonly outside: number;
  readonly threw: number;
  readonly p50_us: number;
  readonly p99_us: number;
}

/** Answer of a repairer to a case. */
export interface Judged<One extends Case> extends Attempt {
  readonly case: One;
  readonly verdict: Verdict;
}

interface Attempt {
  /** Undefined where it refused. */
  readonly got: JsonValue | undefined;
  readonly ending: Ending;
  /** Time of the repairer alone, without the check against the contract. */
  readonly micros: number;
}

/** Cases that a repairer tries twice, of which the first time does not count. */
const WARM_UP = 300;

/** Lets a repairer try every case. A warm-up run comes first. */
export async function judgeAll<One extends Case>(
  cases: readonly One[],
  repair: Repair,
): Promise<Judged<One>[]> {
  for (const one of cases.slice(0, WARM_UP)) await attempt(repair, one);
  const all: Judged<One>[] = [];
  for (const one of cases) {
    const tried = await attempt(repair, one);
    all.push({ case: one, verdict: judge(one, tried.got), ...tried });
  }
  return all;
}

export function scoreOf(repairer: string, judged: readonly Judged<Case>[]): RepairScore {
  const micros = judged.map((one) => one.micros);
  const share = (ending: Ending): number =>
    judged.filter((one) => one.ending === ending).length / Math.max(1, judged.length);
  return {
    repairer,
    ...sharesOf(judged),
    outside: share("outside"),
    threw: share("threw"),
    p50_us: quantile(micros, 0.5),
    p99_us: quantile(micros, 0.99),
  };
}

function sharesOf(judged: readonly { readonly verdict: Verdict }[]): Shares {
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

/** Lets a repairer try one case, and holds its answer against the schema as every caller must. */
async function attempt(repair: Repair, { input, schema }: Case): Promise<Attempt> {
  const startedAt = performance.now();
  const since = (): number => (performance.now() - startedAt) * 1000;
  try {
    const given = repair(input, schema);
    const answer = given instanceof Promise ? await given : given;
    const micros = since();
    if (!isJson(answer)) return { got: undefined, ending: "nothing", micros };
    const isWithin = schema === undefined || validate(answer, schema).length === 0;
    return { got: isWithin ? answer : undefined, ending: isWithin ? "answered" : "outside", micros };
  } catch {
    return { got: undefined, ending: "threw", micros: since() };
  }
}

function judge({ right }: Case, answer: JsonValue | undefined): Verdict {
  if (answer === undefined) return "value" in right ? "refused" : "exact";
  return "value" in right && isDeepStrictEqual(answer, right.value) ? "exact" : "wrong";
}

/** Returns true if an answer is JSON at all. */
function isJson(value: unknown): value is JsonValue {
  try {
    return value !== undefined && JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}
