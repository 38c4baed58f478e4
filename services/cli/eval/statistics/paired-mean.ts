/** By how much one way is dearer or slower than another on the same cases. */
export interface MeanDifference {
  readonly cases: number;
  /** The first's mean minus the second's, in their unit. */
  readonly difference: number;
  /** Interval of 95 %. */
  readonly low: number;
  readonly high: number;
  /** False where the interval holds 0. */
  readonly isSeen: boolean;
}

const RESAMPLES = 2000;
const CASES_MIN = 5;

/**
 * The mean of the differences of pairs, with a bootstrap interval: the pairs are drawn anew many times, because costs
 * and latencies are nothing like normally distributed. The same seed gives the same interval. Of fewer than five pairs
 * no difference is seen.
 */
export function comparePairedMeans(
  pairs: readonly (readonly [first: number, second: number])[],
  seed: number,
): MeanDifference {
  const differences = pairs.map(([first, second]) => first - second);
  const cases = differences.length;
  if (cases === 0) return { cases, difference: 0, low: 0, high: 0, isSeen: false };
  const difference = meanOf(differences);
  const draw = drawing(seed);
  const means = Array.from({ length: RESAMPLES }, () =>
    meanOf(Array.from({ length: cases }, () => differences[Math.floor(draw() * cases)] ?? 0)),
  ).toSorted((a, b) => a - b);
  const low = means[Math.floor(RESAMPLES * 0.025)] ?? difference;
  const high = means[Math.ceil(RESAMPLES * 0.975) - 1] ?? difference;
  return { cases, difference, low, high, isSeen: cases >= CASES_MIN && (low > 0 || high < 0) };
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Numbers in [0, 1) that follow from the seed (xorshift, 32 bits). */
function drawing(seed: number): () => number {
  let state = (seed ^ 0x9e3779b9) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 4_294_967_296;
  };
}
