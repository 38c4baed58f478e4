export interface ChainSettings {
  /** Rounds, each with new processes on an emptied Redis: so many at least, and more while they disagree. */
  readonly roundsMin: number;
  readonly roundsMax: number;
  /** Rounds end once the middle half of the pairs' ratios lies within this share of their median. */
  readonly spreadMax: number;
  /** Pairs of slices in a round: one slice of each peer, one right after the other. */
  readonly pairs: number;
  readonly concurrency: number;
  /** Runs under way at saturation. */
  readonly outstanding: number;
  /** Runs that are not measured, so that code is compiled and scripts are known. */
  readonly warmUpRuns: number;
  /** Runs of a slice, one at a time. */
  readonly singleRuns: number;
  /** Runs of a slice at saturation. */
  readonly loadRuns: number;
}

export const SETTINGS: ChainSettings = {
  roundsMin: 3,
  roundsMax: 6,
  spreadMax: 0.1,
  pairs: 6,
  concurrency: 50,
  outstanding: 100,
  warmUpRuns: 4000,
  singleRuns: 60,
  loadRuns: 800,
};

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
