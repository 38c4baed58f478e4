import type { TrialLimits } from "../limits.ts";
import type { FileResult } from "../trial/report.ts";
import type { Scratch } from "../trial/scratch.ts";

/** Test runners by their names in a task. */
export const RUNNER_NAMES = ["node:test", "vitest", "jest"] as const;

export type RunnerName = (typeof RUNNER_NAMES)[number];

/** One run of a suite. */
export interface SuiteRun {
  readonly scratch: Scratch;
  /** Test files by their paths in the copy, in the order in which they are run. */
  readonly files: readonly string[];
  readonly limits: TrialLimits;
  readonly signal: AbortSignal;
}

/** Runs a project's tests and reads what they said into one shape, whatever the tool. */
export interface Runner {
  readonly name: RunnerName;
  /** Returns true for files that the tool takes for tests. */
  readonly isTest: (path: string) => boolean;
  /** Runs the tests; files whose tests did not run are among the results as not loaded. */
  readonly run: (suite: SuiteRun) => Promise<readonly FileResult[]>;
}

/** The tool is not in the checkout. */
export interface MissingRunner {
  readonly name: RunnerName;
  readonly missing: string;
}
