import { stepsOf } from "#shared/json";
import type { Team, Variant } from "#shared/runtime";
import type { ExpectedValue, LabelledCase } from "./cases.ts";

/** The name of the team itself among its variants. */
export const AS_IT_IS = "as-it-is";

/** One of the ways that are measured: the team itself, or a variant of it. Null: judged by all, against none. */
export type Contender = Pick<Variant, "name" | "description" | "team"> & {
  readonly judged: readonly string[] | null;
  readonly against: string | null;
};

export function contendersOf(team: Team, variants: readonly Variant[]): Contender[] {
  const { description = "The team as it is." } = team.options;
  const itself = { name: AS_IT_IS, description, team, judged: null, against: null };
  return [
    itself,
    ...variants.map(({ judged = null, against = AS_IT_IS, ...variant }) => ({ ...variant, judged, against })),
  ];
}

/** One case, done once by one contender. */
export interface Trial {
  readonly contender: Contender;
  readonly case: LabelledCase;
  /** Null where it did not complete. */
  readonly result: unknown;
  /** Class and code of the failure; null where there is a result. */
  readonly failure: { readonly class: string; readonly code: string } | null;
  /** USD. */
  readonly cost: number;
  readonly tokens: number;
  /** Of models, failed ones and questions again included. */
  readonly calls: number;
  /** From acceptance to the end; null where it never ended. */
  readonly latencyMs: number | null;
}

type Judges = readonly Pick<Contender, "judged">[];

/** Returns the expected values of a case that all these contenders are judged by. */
export function expectedOf({ expect }: LabelledCase, contenders: Judges): [string, ExpectedValue][] {
  const isWithin = (pointer: string, root: string): boolean =>
    pointer === root || pointer.startsWith(`${root}/`);
  return [...expect].filter(([pointer]) =>
    contenders.every(({ judged }) => judged === null || judged.some((root) => isWithin(pointer, root))),
  );
}

/** The value at a JSON pointer (RFC 6901); undefined where there is none. */
export function readPointer(value: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce<unknown>(
    (at, step) =>
      typeof at === "object" && at !== null && Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined,
    value,
  );
}

/** Returns true if a result holds the expected value at a place. Numbers may differ by rounding; null: nothing. */
export function holds(result: unknown, pointer: string, expected: ExpectedValue): boolean {
  const given = readPointer(result, pointer);
  if (expected === null) return given === undefined || given === null;
  if (typeof expected === "number" && typeof given === "number")
    return Math.abs(given - expected) <= 1e-9 * Math.max(1, Math.abs(expected));
  return given === expected;
}

/** Returns true if a trial completed and is right in all that these contenders are judged by. */
export function isRight(trial: Trial, judges: Judges = [trial.contender]): boolean {
  if (trial.failure !== null) return false;
  return expectedOf(trial.case, judges).every(([pointer, value]) => holds(trial.result, pointer, value));
}

/** Judges a trial. `unsure`: it says that it cannot tell, as the case says. `failed`: there is no result. */
export function verdictOf(trial: Trial): "right" | "unsure" | "wrong" | "failed" {
  if (trial.failure !== null) return "failed";
  if (isRight(trial)) return "right";
  const unsure = [...trial.case.unsure];
  const isHonest =
    unsure.length > 0 && unsure.every(([pointer, value]) => holds(trial.result, pointer, value));
  return isHonest ? "unsure" : "wrong";
}

/** Adds up what all trials came to. They come as they ended; what is made of them does not depend on that order. */
export function summarise(contenders: readonly Contender[], ended: readonly Trial[]) {
  const trials = ended.toSorted((a, b) => (a.case.id < b.case.id ? -1 : a.case.id > b.case.id ? 1 : 0));
  const of = (contender: Contender): Trial[] => trials.filter((trial) => trial.contender === contender);
  return {
    contenders: contenders.map((contender) => measure(contender, of(contender))),
    comparisons: contenders.flatMap((contender) => {
      const other = contenders.find(({ name }) => name === contender.against);
      return other === undefined ? [] : [compare([contender, of(contender)], [other, of(other)])];
    }),
  };
}

/** Costs in USD, times in milliseconds; `accuracy`: cases right in everything that the contender is judged by. */
function measure(contender: Contender, trials: readonly Trial[]) {
  const verdicts = { right: 0, unsure: 0, wrong: 0, failed: 0 };
  for (const trial of trials) verdicts[verdictOf(trial)] += 1;
  const sum = (of: "cost" | "tokens" | "calls") => {
    const total = trials.reduce((all, trial) => all + trial[of], 0);
    return { total, mean: trials.length === 0 ? 0 : total / trials.length };
  };
  /** The value where something is expected; null for nothing, or where the run failed. */
  const fields = trials.flatMap((trial) =>
    expectedOf(trial.case, [contender]).map(([pointer, expected]) => {
      const failed = trial.failure !== null;
      const given = failed ? null : (readPointer(trial.result, pointer) ?? null);
      const isHeld = !failed && holds(trial.result, pointer, expected);
      return { case: trial.case.id, pointer, expected, given, failed, isHeld };
    }),
  );
  const failures = trials.flatMap(({ failure }) => failure ?? []);
  return {
    name: contender.name,
    description: contender.description,
    judged_by: contender.judged,
    accuracy: toShare(verdicts.right, trials.length),
    verdicts,
    fields: [...Map.groupBy(fields, ({ pointer }) => pointer)]
      .map(([pointer, all]) => ({ pointer, ...toShare(all.filter((one) => one.isHeld).length, all.length) }))
      .toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1)),
    cost: sum("cost"),
    tokens: sum("tokens"),
    calls: sum("calls"),
    latency_ms: toQuantiles(trials.flatMap(({ latencyMs }) => latencyMs ?? [])),
    failures: [...Map.groupBy(failures, (one) => `${one.class} ${one.code}`).values()]
      .flatMap((group) => group.slice(0, 1).map((one) => ({ ...one, count: group.length })))
      .toSorted((a, b) => b.count - a.count),
    wrong: fields.flatMap(({ isHeld, ...mistake }) => (isHeld ? [] : [mistake])),
  };
}

type Side = readonly [Contender, readonly Trial[]];

/** Compares two contenders on the cases, and by the expectations, that both have. */
function compare([one, firsts]: Side, [other, seconds]: Side) {
  const pair = [one, other];
  const ofOther = new Map(seconds.map((trial) => [trial.case, trial]));
  const counts = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 };
  for (const first of firsts) {
    const second = ofOther.get(first.case);
    if (second === undefined || expectedOf(first.case, pair).length === 0) continue;
    const [isFirst, isSecond] = [isRight(first, pair), isRight(second, pair)];
    counts[isFirst ? (isSecond ? "both" : "onlyFirst") : isSecond ? "onlySecond" : "neither"] += 1;
  }
  return { first: one.name, second: other.name, accuracy: comparePaired(counts) };
}

/** The 97.5 % quantile of the standard normal distribution: intervals here are two-sided, of 95 %. */
const Z = 1.959963984540054;

/** A share with Wilson's score interval, which holds for few cases and near 0 and 1. @returns `share`: null of none. */
export function toShare(right: number, of: number) {
  if (of === 0) return { right, of, share: null, low: 0, high: 1 };
  const share = right / of;
  const spread = 1 + Z ** 2 / of;
  const middle = (share + Z ** 2 / (2 * of)) / spread;
  const half = (Z / spread) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  // Exact at 0 and 1, where rounding errors would leave 1e-17 beside the bound.
  const [low, high] = [right === 0 ? 0 : Math.max(0, middle - half), right === of ? 1 : middle + half];
  return { right, of, share, low, high: Math.min(1, high) };
}

/** The same cases, done in two ways. */
type PairedCounts = Readonly<Record<"both" | "onlyFirst" | "onlySecond" | "neither", number>>;

/** Compares two ways by the cases that only one got right. `isSeen`: McNemar's exact test, below 5 %. */
export function comparePaired({ both, onlyFirst, onlySecond, neither }: PairedCounts) {
  const cases = both + onlyFirst + onlySecond + neither;
  const apart = onlyFirst + onlySecond;
  let [logarithm, tail] = [apart * Math.log(0.5), 0];
  for (let one = 0; one <= Math.min(onlyFirst, onlySecond); one += 1) {
    tail += Math.exp(logarithm);
    logarithm += Math.log((apart - one) / (one + 1));
  }
  const difference = cases === 0 ? 0 : (onlyFirst - onlySecond) / cases;
  return { cases, onlyFirst, onlySecond, difference, isSeen: 2 * tail < 0.05 };
}

/** Values below which half, 95 % and 99 % lie, each one that was measured; null of none. */
export function toQuantiles(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return sorted.length === 0 ? null : { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
