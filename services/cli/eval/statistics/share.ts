/** The value of the normal distribution that leaves 2.5 % above it: all intervals here are of 95 %. */
const Z = 1.959963984540054;

/** How many of how many, with the interval of 95 % in which the share lies, by Wilson. */
export interface Share {
  readonly right: number;
  readonly of: number;
  /** 0 to 1; null of none. */
  readonly share: number | null;
  readonly low: number;
  readonly high: number;
}

/**
 * Wilson's score interval: unlike the plain one it holds for few cases and for shares near 0 and 1. Of none it is
 * everything.
 *
 * @throws {RangeError} More are right than there are.
 */
export function toShare(right: number, of: number): Share {
  if (right < 0 || right > of) throw new RangeError(`${right} of ${of} is no share`);
  if (of === 0) return { right, of, share: null, low: 0, high: 1 };
  const share = right / of;
  const spread = 1 + Z ** 2 / of;
  const middle = (share + Z ** 2 / (2 * of)) / spread;
  const half = (Z / spread) * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  // At the ends the interval ends there exactly; rounding would leave a hair.
  return {
    right,
    of,
    share,
    low: right === 0 ? 0 : Math.max(0, middle - half),
    high: right === of ? 1 : Math.min(1, middle + half),
  };
}
