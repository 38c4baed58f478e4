import { z } from "zod";

/** A place in the project's own code, from an error's stack. */
const frame = z.object({
  path: z.string().min(1).max(400),
  /** From 1. */
  line: z.int().nonnegative(),
});

/** A test that fails, with the evidence it leaves. */
export const failingTest = z.object({
  file: z.string().min(1).max(400),
  /** "" where the file failed as a whole: it did not load, was stopped at a bound, or hides tests that were there. */
  name: z.string().max(300),
  /** Line of the test, from 1; 0 where nobody knows. */
  line: z.int().nonnegative(),
  /** Message of the runner, with the values that were compared. */
  message: z.string().max(600),
  frames: z.array(frame).max(12),
});

/** Report of a run of a project's tests. The same project gives the same report: no times, no folders. */
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

/** Files that failing tests point to: those of their stacks, then their own. */
export function pathsOf(failing: readonly FailingTest[]): string[] {
  return [
    ...failing.flatMap(({ frames }) => frames.map(({ path }) => path)),
    ...failing.map(({ file }) => file),
  ];
}

/** The result of one test file. */
export interface FileResult {
  readonly file: string;
  /** Number of tests that passed. */
  readonly passed: number;
  readonly failing: readonly FailingTest[];
  /** False: the file did not come to its tests. */
  readonly isLoaded: boolean;
}

const FAILING_TOLD_MAX = 12;
const FAILING_BYTES_MAX = 32 * 1024;

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

/** Sums up the results of all test files. @param before - The report whose tests have to be there again. */
export function toReport(results: readonly FileResult[], before: TestReport | null): TestReport {
  const counted = results.map((result) => withVanished(result, before));
  const files = counted.map(({ file, passed, failing }) => ({
    file,
    tests: passed + failing.length,
    failed: failing.length,
  }));
  return {
    passed: counted.reduce((sum, { passed }) => sum + passed, 0),
    failed: counted.reduce((sum, { failing }) => sum + failing.length, 0),
    unloaded: counted.filter(({ isLoaded }) => !isLoaded).length,
    files: files.slice(0, 200),
    failing: fitting(counted.flatMap(({ failing }) => failing)),
  };
}

function fitting(failing: readonly FailingTest[]): FailingTest[] {
  let told = failing.slice(0, FAILING_TOLD_MAX);
  while (told.length > 1 && Buffer.byteLength(JSON.stringify(told)) > FAILING_BYTES_MAX)
    told = told.slice(0, -1);
  return told;
}

/** Adds a failure to a file that has fewer tests than before: a patch may keep tests from being run. */
function withVanished(result: FileResult, before: TestReport | null): FileResult {
  const tests = result.passed + result.failing.length;
  const expected = before?.files.find(({ file }) => file === result.file)?.tests ?? 0;
  if (!result.isLoaded || tests >= expected) return result;
  const failure = { file: result.file, name: "", line: 0, frames: [] };
  const message = `Only ${tests} of ${expected} tests ran.`;
  return { ...result, failing: [...result.failing, { ...failure, message }] };
}
