/** Bounds of what is read of a checkout. */
export const CHECKOUT_LIMITS = {
  /** Files walked over, dependencies included. */
  filesMax: 20_000,
  /** Bytes of all files that are copied. */
  bytesMax: 256 * 1024 * 1024,
  /** Bytes of one file that is read as text. */
  fileBytesMax: 256 * 1024,
  /** Bytes searched through in all. */
  searchBytesMax: 16 * 1024 * 1024,
  /** Places a search gives. */
  hitsMax: 40,
};

/** Bounds of one run of a project's tests. */
export const TRIAL_LIMITS_DEFAULT = {
  /** Bounds of one start of a runner. The time is that of the whole suite. */
  start: {
    /** In milliseconds; what still runs then is killed. */
    timeMs: 60_000,
    outputBytesMax: 256 * 1024,
    /** Bytes of the report. */
    resultBytesMax: 16 * 1024 * 1024,
    /** Resident memory of all processes; half of it is the heap's. */
    memoryBytesMax: 1024 * 1024 * 1024,
    /** Bytes of all files that it may write. */
    writtenBytesMax: 256 * 1024 * 1024,
    /** Files and folders that it may make. */
    filesMax: 10_000,
    /** Processes and threads at a time; Node itself takes about twelve. */
    tasksMax: 256,
  },
  /** Test files of a suite of `node:test`, which are processes of their own. */
  testFilesMax: 100,
};

export type TrialLimits = Readonly<typeof TRIAL_LIMITS_DEFAULT>;

/** Characters of source text that one model step is shown, of one file and of all. */
export const SHOWN_FILE_CHARACTERS_MAX = 60_000;
export const SHOWN_CHARACTERS_MAX = 80_000;

/** Fixes that the patcher may propose at once, and rounds it may have. */
export const FIXES_MAX = 8;
export const ROUNDS_MAX = 8;

/** Runs that prove a fix. */
export const PROOF_LIMITS_DEFAULT = {
  /** Runs of the suite with the fix, and without it, that have to give the same result. */
  repeats: 3,
  /** Conditions and numbers of the changed lines that are changed in turn. */
  mutantsMax: 8,
  /** Time after which no further mutant is tried, in milliseconds. */
  proofMs: 120_000,
};

export type ProofLimits = Readonly<typeof PROOF_LIMITS_DEFAULT>;

/** Tests that the explorer may write for one task, and their length in characters. */
export const WRITTEN_TESTS_MAX = 3;
export const WRITTEN_TEST_CHARACTERS_MAX = 20_000;
