import { comparePaired, toQuantiles, toShare } from "./statistics.ts";
import { expectedOf, holds, isRight, readPointer, verdictOf } from "./trial.ts";
import type { Contender, Trial } from "./trial.ts";

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
  const { name, description, judged } = contender;
  const verdicts = { right: 0, unsure: 0, wrong: 0, failed: 0 };
  for (const trial of trials) verdicts[verdictOf(trial)] += 1;
  const sum = (read: (trial: Trial) => number) => {
    const total = trials.reduce((all, trial) => all + read(trial), 0);
    return { total, mean: trials.length === 0 ? 0 : total / trials.length };
  };
  const fields = trials.flatMap((trial) => fieldsOf(contender, trial));
  const failures = Map.groupBy(
    trials.flatMap(({ failure }) => failure ?? []),
    (failure) => `${failure.class} ${failure.code}`,
  );
  return {
    name,
    description,
    judged_by: judged,
    accuracy: toShare(verdicts.right, trials.length),
    verdicts,
    fields: [...Map.groupBy(fields, ({ pointer }) => pointer)]
      .map(([pointer, all]) => ({ pointer, ...toShare(all.filter((one) => one.isHeld).length, all.length) }))
      .toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1)),
    cost: sum(({ cost }) => cost),
    tokens: sum(({ tokens }) => tokens),
    calls: sum(({ calls }) => calls),
    latency_ms: toQuantiles(trials.flatMap(({ latencyMs }) => latencyMs ?? [])),
    failures: [...failures.values()]
      .map((group) => ({ class: group[0]?.class ?? "", code: group[0]?.code ?? "", count: group.length }))
      .toSorted((a, b) => b.count - a.count),
    wrong: fields.flatMap(({ isHeld, ...mistake }) => (isHeld ? [] : [mistake])),
  };
}

/** What stands where something is expected; null for nothing, or where the run failed. */
function fieldsOf(contender: Contender, trial: Trial) {
  const failed = trial.failure !== null;
  return expectedOf(trial.case, [contender]).map(([pointer, expected]) => ({
    case: trial.case.id,
    pointer,
    expected,
    given: failed ? null : (readPointer(trial.result, pointer) ?? null),
    failed,
    isHeld: !failed && holds(trial.result, pointer, expected),
  }));
}

type Side = readonly [Contender, readonly Trial[]];

/** On the cases that judge both, and by what judges both. */
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
