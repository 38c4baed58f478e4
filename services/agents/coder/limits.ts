/** Bounds of what is read of a checkout. */
export interface CheckoutLimits {
  /** Files walked over, dependencies included. Default 20,000. */
  readonly filesMax: number;
  /** Bytes of all files that are copied. Default 256 MiB. */
  readonly bytesMax: number;
  /** Bytes of one file that is read as text. Default 256 KiB. */
  readonly fileBytesMax: number;
  /** Bytes searched through in all. Default 16 MiB. */
  readonly searchBytesMax: number;
  /** Places a search gives. Default 40. */
  readonly hitsMax: number;
}

export const CHECKOUT_LIMITS_DEFAULT: CheckoutLimits = {
  filesMax: 20_000,
  bytesMax: 256 * 1024 * 1024,
  fileBytesMax: 256 * 1024,
  searchBytesMax: 16 * 1024 * 1024,
  hitsMax: 40,
};

/** Bounds of one run of a project's tests. */
export interface TrialLimits {
  /** Time of the whole suite, in milliseconds; what still runs then is killed. Default 30,000. */
  readonly suiteMs: number;
  /** Bytes that one test file may print. Default 256 KiB. */
  readonly outputBytesMax: number;
  /** Resident memory of one test file's processes; half of it is the heap's. Default 512 MiB. */
  readonly memoryBytesMax: number;
  /** Bytes of all files that one test file may write. Default 64 MiB. */
  readonly writtenBytesMax: number;
  /** Files and folders that one test file may make. Default 10,000. */
  readonly filesMax: number;
  /** Processes and threads of one test file at a time; Node itself takes about twelve. Default 64. */
  readonly tasksMax: number;
  /** Bytes of the report on one test file. Default 16 MiB. */
  readonly reportBytesMax: number;
  /** Test files of a suite. Default 100. */
  readonly testFilesMax: number;
}

export const TRIAL_LIMITS_DEFAULT: TrialLimits = {
  suiteMs: 30_000,
  outputBytesMax: 256 * 1024,
  memoryBytesMax: 512 * 1024 * 1024,
  writtenBytesMax: 64 * 1024 * 1024,
  filesMax: 10_000,
  tasksMax: 64,
  reportBytesMax: 16 * 1024 * 1024,
  testFilesMax: 100,
};

/** Characters of source text that one model step is shown, of one file and of all. */
export const SHOWN_FILE_CHARACTERS_MAX = 60_000;
export const SHOWN_CHARACTERS_MAX = 80_000;

/** Fixes that the patcher may propose at once, and rounds it may have. */
export const FIXES_MAX = 8;
export const ROUNDS_MAX = 8;
