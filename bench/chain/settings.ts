export const SETTINGS = {
  /** Rounds, each with new processes on an emptied Redis: so many at least, and more while they disagree. */
  roundsMin: 3,
  roundsMax: 6,
  /** Rounds end once the middle half of the pairs' ratios lies within this share of their median. */
  spreadMax: 0.1,
  /** Pairs of slices in a round: one slice of each peer, one right after the other. */
  pairs: 6,
  concurrency: 50,
  /** Runs under way at saturation. */
  outstanding: 100,
  /** Runs that are not measured, so that code is compiled and scripts are known. */
  warmUpRuns: 4000,
  /** Runs of a slice, one at a time. */
  singleRuns: 60,
  /** Runs of a slice at saturation. */
  loadRuns: 800,
};

export type ChainSettings = Readonly<typeof SETTINGS>;

/** To see that all is well, in a minute or two. Its figures are not for telling others. */
export const QUICK_SETTINGS: ChainSettings = {
  ...SETTINGS,
  roundsMin: 1,
  roundsMax: 1,
  pairs: 4,
  singleRuns: 40,
  loadRuns: 250,
  warmUpRuns: 300,
};
