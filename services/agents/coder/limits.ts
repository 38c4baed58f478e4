/** Bounds of what is read of a checkout. */
export const CHECKOUT_LIMITS_DEFAULT = {
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

export type CheckoutLimits = Readonly<typeof CHECKOUT_LIMITS_DEFAULT>;

/** Bounds of one run of a project's tests. */
export const TRIAL_LIMITS_DEFAULT = {
  /** Time of the whole suite, in milliseconds; what still runs then is killed. */
  suiteMs: 30_000,
  /** Bytes that one test file may print. */
  outputBytesMax: 256 * 1024,
  /** Resident memory of one test file's processes; half of it is the heap's. */
  memoryBytesMax: 512 * 1024 * 1024,
  /** Bytes of all files that one test file may write. */
  writtenBytesMax: 64 * 1024 * 1024,
  /** Files and folders that one test file may make. */
  filesMax: 10_000,
  /** Processes and threads of one test file at a time; Node itself takes about twelve. */
  tasksMax: 64,
  /** Bytes of the report on one test file. */
  reportBytesMax: 16 * 1024 * 1024,
  /** Test files of a suite. */
  testFilesMax: 100,
  /** Time of a suite that is one command, such as pytest, in milliseconds. */
  commandMs: 120_000,
  /** Resident memory of a command's processes. */
  commandMemoryBytesMax: 1024 * 1024 * 1024,
  /** Bytes that a command may write. */
  commandWrittenBytesMax: 256 * 1024 * 1024,
  /** Processes and threads of a command at a time. */
  commandTasksMax: 256,
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
