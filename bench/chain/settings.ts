export interface ChainSettings {
  /** Rounds, each with new processes and servers: so many at least, and more while they disagree. */
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

const LOAD = { spreadMax: 0.1, concurrency: 50, outstanding: 100 };

export const SETTINGS: ChainSettings = {
  ...LOAD,
  roundsMin: 3,
  roundsMax: 6,
  pairs: 6,
  warmUpRuns: 4000,
  singleRuns: 60,
  loadRuns: 800,
};

/** To see that all is well, in a minute or two. Its figures are not for telling others. */
export const QUICK_SETTINGS: ChainSettings = {
  ...LOAD,
  roundsMin: 1,
  roundsMax: 1,
  pairs: 4,
  warmUpRuns: 300,
  singleRuns: 40,
  loadRuns: 250,
};

/** For peers that are slower by a factor. */
export const PEERS_SETTINGS: ChainSettings = {
  ...LOAD,
  roundsMin: 2,
  roundsMax: 2,
  pairs: 3,
  warmUpRuns: 300,
  singleRuns: 30,
  loadRuns: 300,
};

export const QUICK_PEERS_SETTINGS: ChainSettings = {
  ...PEERS_SETTINGS,
  roundsMin: 1,
  roundsMax: 1,
  pairs: 2,
};
