/** The value of the normal distribution that leaves 2.5 % above it: all intervals here are of 95 %. */
const Z = 1.959963984540054;

/** How many of how many, with the interval of 95 % in which the share lies. */
export interface Share {
  readonly right: number;
  readonly of: number;
  /** 0 to 1; null of none. */
  readonly share: number | null;
  readonly low: number;
  readonly high: number;
}

/** Wilson's score interval: unlike the plain one it holds for few cases and for shares near 0 and 1. */
export function toShare(right: number, of: number): Share {
  if (of === 0) return { right, of, share: null, low: 0, high: 1 };
  const share = right / of;
  const spread = 1 + Z ** 2 / of;
  const middle = (share + Z ** 2 / (2 * of)) / spread;
  const half = (Z / spread) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  // At the ends the interval ends there exactly; rounding would leave a hair.
  const [low, high] = [right === 0 ? 0 : Math.max(0, middle - half), right === of ? 1 : middle + half];
  return { right, of, share, low, high: Math.min(1, high) };
}

/** The same cases, done in two ways. */
export interface PairedCounts {
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
}

/**
 * Compares two shares of the same cases: Newcombe's interval for paired shares (his method 10), made of Wilson's two
 * and of how far the pairs go together. It holds for few cases.
 *
 * @returns `difference`: the first's share minus the second's; `isSeen`: false where the interval holds 0.
 */
export function comparePaired(counts: PairedCounts) {
  const { both, onlyFirst, onlySecond, neither } = counts;
  const cases = both + onlyFirst + onlySecond + neither;
  const [first, second] = [toShare(both + onlyFirst, cases), toShare(both + onlySecond, cases)];
  const split = { cases, onlyFirst, onlySecond };
  if (first.share === null || second.share === null)
    return { ...split, difference: 0, low: -1, high: 1, isSeen: false };
  const difference = (onlyFirst - onlySecond) / cases;
  const together = phi(counts, cases);
  const reach = (one: number, other: number): number =>
    Math.sqrt(Math.max(0, one ** 2 - 2 * together * one * other + other ** 2));
  const low = Math.max(-1, difference - reach(first.share - first.low, second.high - second.share));
  const high = Math.min(1, difference + reach(first.high - first.share, second.share - second.low));
  return { ...split, difference, low, high, isSeen: low > 0 || high < 0 };
}

/** How far the pairs go together, -1 to 1, with Newcombe's correction for few cases; 0 where one never changes. */
function phi({ both, onlyFirst, onlySecond, neither }: PairedCounts, cases: number): number {
  const margins = (both + onlyFirst) * (onlySecond + neither) * (both + onlySecond) * (onlyFirst + neither);
  if (margins === 0) return 0;
  const across = both * neither - onlyFirst * onlySecond;
  const corrected = across > 0 ? Math.max(0, across - cases / 2) : across;
  return corrected / Math.sqrt(margins);
}

/** Values below which half, 95 % and 99 % lie, each one that was measured; null of none. */
export function toQuantiles(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0;
  return sorted.length === 0 ? null : { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}
