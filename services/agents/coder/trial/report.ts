import { z } from "zod";

/** A place in the project's own code, from an error's stack. Lines and columns from 1. */
const frame = z.object({
  path: z.string().min(1).max(400),
  line: z.int().nonnegative(),
  column: z.int().nonnegative(),
  /** The function, as the stack names it; "" where it does not. */
  symbol: z.string().max(200),
});

/** A test that fails, with the evidence it leaves. */
export const failingTest = z.object({
  file: z.string().min(1).max(400),
  name: z.string().max(300),
  /**
   * `assertion`: a comparison said no; `exception`: something else was thrown; `load`: the file did not come to its
   * tests; `stopped`: it was killed at a bound; `vanished`: tests that there were before did not run.
   */
  kind: z.enum(["assertion", "exception", "load", "stopped", "vanished"]),
  /** Line of the test, from 1; 0 where nobody knows. */
  line: z.int().nonnegative(),
  message: z.string().max(600),
  /** As Node prints values; null where nothing was compared. */
  expected: z.string().max(400).nullable(),
  actual: z.string().max(400).nullable(),
  frames: z.array(frame).max(12),
});

/** What a run of a project's tests says. The same project gives the same report: no times, no folders. */
export const testReport = z.object({
  passed: z.int().nonnegative(),
  failed: z.int().nonnegative(),
  /** Test files that did not come to their tests. */
  unloaded: z.int().nonnegative(),
  files: z
    .array(
      z.object({ file: z.string().max(400), tests: z.int().nonnegative(), failed: z.int().nonnegative() }),
    )
    .max(200),
  /** The first of those that fail. */
  failing: z.array(failingTest).max(12),
});

export type Frame = z.output<typeof frame>;
export type FailingTest = z.output<typeof failingTest>;
export type TestReport = z.output<typeof testReport>;

/** The result of one test file. */
export interface FileResult {
  readonly file: string;
  /** Number of tests that passed. */
  readonly passed: number;
  readonly failing: readonly FailingTest[];
  /** False: the file did not come to its tests. */
  readonly isLoaded: boolean;
  /** Lines that ran, by file, from 1. Absent: not measured. */
  readonly covered?: readonly { readonly path: string; readonly lines: readonly number[] }[];
}

export const FAILING_TOLD_MAX = 12;

/** Everything ran and nothing failed. */
export function isGreen(report: TestReport): boolean {
  return report.passed > 0 && report.failed === 0 && report.unloaded === 0;
}

/** Fewer tests fail, and in no file more than before. A file that loads at last may fail as much as it likes. */
export function isBetter(report: TestReport, than: TestReport): boolean {
  if (report.unloaded !== than.unloaded) return report.unloaded < than.unloaded;
  const before = new Map(than.files.map(({ file, failed }) => [file, failed]));
  return (
    report.failed < than.failed && report.files.every(({ file, failed }) => failed <= (before.get(file) ?? 0))
  );
}
