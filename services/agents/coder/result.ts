import type { Attempt, Task, TrialWork } from "./contracts.ts";
import type { FailingTest } from "./trial/report.ts";
import type { TrialResult } from "./trial/try-diff.ts";

/** A test that is still red, for people. */
export interface StillRed {
  readonly file: string;
  readonly name: string;
  readonly message: string;
}

/** How a repair ended. What a run of this team gives. */
export interface CodeResult {
  /**
   * `green`: every test passes with `diff`; `red`: the rounds are spent or nothing new comes to mind, and `diff`
   * is the best that was found, if any was better than nothing; the others: there was nothing to repair.
   */
  readonly status: "green" | "red" | "already_green" | "no_tests";
  readonly checkout: string;
  /** Unified diff against the checkout, which was not touched. */
  readonly diff: string | null;
  readonly cause: string | null;
  readonly rounds: number;
  /** Diffs that were tried. */
  readonly tries: number;
  readonly tests: { readonly passed: number; readonly failed: number } | null;
  readonly still_red: readonly StillRed[];
  /** Why diffs were refused. */
  readonly refused: readonly string[];
}

const REFUSALS_TOLD_MAX = 10;

/** Nothing to repair, or nothing to judge a repair by. */
export function reportUnneeded({ checkout }: Task, { verdict, report }: TrialResult): CodeResult {
  return {
    status: verdict === "green" ? "already_green" : "no_tests",
    checkout,
    diff: null,
    cause: null,
    rounds: 0,
    tries: 0,
    tests: report === null ? null : { passed: report.passed, failed: report.failed },
    still_red: [],
    refused: [],
  };
}

type Known = Pick<TrialWork, "task" | "cause" | "before" | "attempts" | "best" | "round">;

export function reportGreen(
  work: Known,
  green: { readonly diff: string; readonly passed: number },
): CodeResult {
  const tries = work.attempts.length + 1;
  return {
    ...told(work),
    status: "green",
    diff: green.diff,
    tries,
    tests: { passed: green.passed, failed: 0 },
  };
}

/** The bound is reached: what is still red, and the best there is. */
export function reportRed(work: Known): CodeResult {
  const report = work.best?.report ?? work.before;
  return {
    ...told(work),
    status: "red",
    diff: work.best?.diff ?? null,
    tests: { passed: report.passed, failed: report.failed },
    still_red: report.failing.map(toStillRed),
  };
}

function told({ task, cause, attempts, round }: Known): Omit<CodeResult, "status" | "diff" | "tests"> {
  return {
    checkout: task.checkout,
    cause,
    rounds: round,
    tries: attempts.length,
    still_red: [],
    refused: refusalsOf(attempts),
  };
}

function refusalsOf(attempts: readonly Attempt[]): string[] {
  const refused = attempts.filter(({ verdict }) => verdict !== "red").map(({ told: why }) => why);
  return [...new Set(refused)].slice(0, REFUSALS_TOLD_MAX);
}

function toStillRed({ file, name, message }: FailingTest): StillRed {
  return { file, name, message: message.slice(0, 300) };
}
