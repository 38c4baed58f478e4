import { expectedOf } from "../cases/contender.ts";
import type { Contender } from "../cases/contender.ts";
import type { ExpectedValue } from "../cases/labelled-case.ts";
import { readPointer } from "../cases/read-pointer.ts";
import { holds, verdictOf } from "../cases/trial.ts";
import type { Trial, Verdict } from "../cases/trial.ts";
import { toQuantiles } from "../statistics/quantiles.ts";
import type { Quantiles } from "../statistics/quantiles.ts";
import { toShare } from "../statistics/share.ts";
import type { Share } from "../statistics/share.ts";

/** What one contender's trials come to. Costs in USD, times in milliseconds. */
export interface Measured {
  readonly name: string;
  readonly description: string;
  readonly judged_by: readonly string[] | null;
  /** Cases right in everything that it is judged by. */
  readonly accuracy: Share;
  readonly verdicts: Readonly<Record<Verdict, number>>;
  readonly fields: readonly ({ readonly pointer: string } & Share)[];
  readonly cost: { readonly total: number; readonly mean: number };
  readonly tokens: { readonly total: number; readonly mean: number };
  readonly calls: { readonly total: number; readonly mean: number };
  /** Of runs that ended, from acceptance to the end. */
  readonly latency_ms: Quantiles | null;
  readonly failures: readonly { readonly class: string; readonly code: string; readonly count: number }[];
  readonly wrong: readonly Mistake[];
}

/** One field of one case that was not as expected. */
export interface Mistake {
  readonly case: string;
  readonly pointer: string;
  readonly expected: ExpectedValue;
  /** What stood there; null for nothing, or where the run failed. */
  readonly given: unknown;
  /** True where the run gave no result at all. */
  readonly failed: boolean;
}

/** Adds up one contender's trials, in the order of the cases. Pure. */
export function measure(contender: Contender, trials: readonly Trial[]): Measured {
  const { name, description, judged } = contender;
  const sum = (read: (trial: Trial) => number) => totalOf(trials, read);
  return {
    name,
    description,
    judged_by: judged,
    ...outcomeOf(trials),
    fields: fieldsOf(contender, trials),
    cost: sum(({ cost }) => cost),
    tokens: sum(({ tokens }) => tokens),
    calls: sum(({ calls }) => calls),
    latency_ms: toQuantiles(trials.flatMap(({ latencyMs }) => latencyMs ?? [])),
    failures: failuresOf(trials),
    wrong: trials.flatMap((trial) => mistakesOf(contender, trial)),
  };
}

function outcomeOf(trials: readonly Trial[]): Pick<Measured, "accuracy" | "verdicts"> {
  const all = trials.map(verdictOf);
  const count = (verdict: Verdict): number => all.filter((one) => one === verdict).length;
  return {
    accuracy: toShare(count("right"), trials.length),
    verdicts: {
      right: count("right"),
      unsure: count("unsure"),
      wrong: count("wrong"),
      failed: count("failed"),
    },
  };
}

function totalOf(trials: readonly Trial[], read: (trial: Trial) => number) {
  const total = trials.reduce((sum, trial) => sum + read(trial), 0);
  return { total, mean: trials.length === 0 ? 0 : total / trials.length };
}

function fieldsOf(contender: Contender, trials: readonly Trial[]): Measured["fields"] {
  const seen = trials.flatMap((trial) =>
    [...expectedOf(trial.case, [contender])].map(([pointer, expected]) => ({
      pointer,
      isHeld: trial.failure === null && holds(trial.result, pointer, expected),
    })),
  );
  return [...Map.groupBy(seen, ({ pointer }) => pointer)]
    .map(([pointer, all]) => ({ pointer, ...toShare(all.filter(({ isHeld }) => isHeld).length, all.length) }))
    .toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1));
}

function failuresOf(trials: readonly Trial[]): Measured["failures"] {
  const failures = trials.flatMap(({ failure }) => (failure === null ? [] : [failure]));
  const groups = Map.groupBy(failures, (failure) => `${failure.class} ${failure.code}`);
  return [...groups.values()]
    .map((group) => ({ class: group[0]?.class ?? "", code: group[0]?.code ?? "", count: group.length }))
    .toSorted((a, b) => b.count - a.count);
}

function mistakesOf(contender: Contender, { case: one, result, failure }: Trial): Mistake[] {
  return [...expectedOf(one, [contender])].flatMap(([pointer, expected]) => {
    if (failure === null && holds(result, pointer, expected)) return [];
    const given = failure === null ? (readPointer(result, pointer) ?? null) : null;
    return [{ case: one.id, pointer, expected, given, failed: failure !== null }];
  });
}
