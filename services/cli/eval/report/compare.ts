import { expectedOf } from "../cases/contender.ts";
import type { Contender } from "../cases/contender.ts";
import { isRight } from "../cases/trial.ts";
import type { Trial } from "../cases/trial.ts";
import { comparePaired } from "../statistics/paired-shares.ts";
import type { PairedDifference } from "../statistics/paired-shares.ts";

/** One contender against another, on the cases that judge both. */
export interface Comparison {
  readonly first: string;
  readonly second: string;
  /** By what both are judged by. */
  readonly accuracy: PairedDifference;
}

/** Compares pairs of trials, case by case. Pure. */
export function compare(pair: readonly [Contender, Contender], trials: readonly Trial[]): Comparison {
  const [one, other] = pair;
  const ofOther = new Map(
    trials.filter(({ contender }) => contender === other).map((trial) => [trial.case, trial]),
  );
  const pairs = trials.flatMap((trial) => {
    const partner = ofOther.get(trial.case);
    const tells = trial.contender === one && expectedOf(trial.case, pair).size > 0;
    return tells && partner !== undefined ? [[trial, partner] as const] : [];
  });
  const both = pairs.map(([a, b]) => [isRight(a, pair), isRight(b, pair)] as const);
  const count = (a: boolean, b: boolean) => both.filter(([x, y]) => x === a && y === b).length;
  return {
    first: one.name,
    second: other.name,
    accuracy: comparePaired({
      both: count(true, true),
      onlyFirst: count(true, false),
      onlySecond: count(false, true),
      neither: count(false, false),
    }),
  };
}
