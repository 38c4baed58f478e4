import { toShare } from "./share.ts";

/** The same cases, done in two ways. */
export interface PairedCounts {
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
}

export interface PairedDifference {
  readonly cases: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** The first's share minus the second's, -1 to 1. */
  readonly difference: number;
  /** Interval of 95 %. */
  readonly low: number;
  readonly high: number;
  /** How likely so uneven a split of the cases on which they differ is, if they were equally good. McNemar, exact. */
  readonly p: number;
  /** False where the interval holds 0, or chance explains the split as well. */
  readonly isSeen: boolean;
}

const P_MAX = 0.05;

/**
 * Compares two shares of the same cases: Newcombe's interval for paired shares (his method 10), made of Wilson's two
 * and of how far the pairs go together, and McNemar's exact test. Both hold for few cases.
 */
export function comparePaired(counts: PairedCounts): PairedDifference {
  const { both, onlyFirst, onlySecond, neither } = counts;
  const cases = both + onlyFirst + onlySecond + neither;
  const first = toShare(both + onlyFirst, cases);
  const second = toShare(both + onlySecond, cases);
  const p = mcNemar(onlyFirst, onlySecond);
  if (first.share === null || second.share === null)
    return { cases, onlyFirst, onlySecond, difference: 0, low: -1, high: 1, p, isSeen: false };
  const difference = (onlyFirst - onlySecond) / cases;
  const together = phi(counts);
  const down = reach(first.share - first.low, second.high - second.share, together);
  const up = reach(first.high - first.share, second.share - second.low, together);
  const low = Math.max(-1, difference - down);
  const high = Math.min(1, difference + up);
  return {
    cases,
    onlyFirst,
    onlySecond,
    difference,
    low,
    high,
    p,
    isSeen: (low > 0 || high < 0) && p < P_MAX,
  };
}

function reach(one: number, other: number, together: number): number {
  return Math.sqrt(Math.max(0, one ** 2 - 2 * together * one * other + other ** 2));
}

/** How far the pairs go together, -1 to 1, with Newcombe's correction for few cases; 0 where one never changes. */
function phi({ both, onlyFirst, onlySecond, neither }: PairedCounts): number {
  const cases = both + onlyFirst + onlySecond + neither;
  const margins = (both + onlyFirst) * (onlySecond + neither) * (both + onlySecond) * (onlyFirst + neither);
  if (margins === 0) return 0;
  const across = both * neither - onlyFirst * onlySecond;
  const corrected = across > 0 ? Math.max(0, across - cases / 2) : across;
  return corrected / Math.sqrt(margins);
}

/** The two-sided binomial test of the cases on which the two differ; 1 where there is none. */
function mcNemar(onlyFirst: number, onlySecond: number): number {
  const differing = onlyFirst + onlySecond;
  let tail = 0;
  // By logarithms, so that thousands of cases neither overflow nor vanish.
  let logChance = -differing * Math.LN2;
  for (let fewer = 0; fewer <= Math.min(onlyFirst, onlySecond); fewer += 1) {
    tail += Math.exp(logChance);
    logChance += Math.log(differing - fewer) - Math.log(fewer + 1);
  }
  return Math.min(1, 2 * tail);
}
