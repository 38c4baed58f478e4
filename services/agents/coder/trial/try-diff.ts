import { mkdir, rm, writeFile, mkdtemp, readdir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { wallNow } from "#shared/clock";
import { belongsToTests, isRunAsTest, isSource, isUnder } from "../checkout/project-path.ts";
import { copyCheckout } from "../checkout/checkout-files.ts";
import type { WrittenTest } from "../contracts.ts";
import { readPatched, refusePaths } from "../diff/diff.ts";
import type { Allowed } from "../diff/diff.ts";
import { runTests } from "./run-tests.ts";
import type { TrialLimits, Scratch } from "./run-tests.ts";
import { isGreen, testReport, toReport } from "./report.ts";
import type { TestReport } from "./report.ts";

/** The result of a trial. `report` is null where no test ran. */
export const trialResult = z.object({
  verdict: z.enum(["green", "red", "refused", "does_not_apply", "no_tests"]),
  /** Fault of the diff. "": tests ran. */
  told: z.string().max(600),
  report: testReport.nullable(),
});

export type TrialResult = z.output<typeof trialResult>;

export interface Trial {
  /** The checkout's real folder. It is read and nothing else. */
  readonly root: string;
  readonly scratchDir: string;
  /** Unified diff against the checkout; null tries the checkout as it is. */
  readonly diff: string | null;
  readonly allowed: Allowed;
  /** Report of the checkout as it is: its tests have to be there again. */
  readonly before: TestReport | null;
  readonly limits: TrialLimits;
  readonly signal: AbortSignal;
  /** Tests that are run besides those of the checkout. */
  readonly written?: readonly WrittenTest[];
}

/** Tries a diff: checks its paths, applies it strictly in a scratch copy and runs the tests. Asks no model. */
export async function tryDiff(trial: Trial): Promise<TrialResult> {
  const refused = trial.diff === null ? [] : refusePaths(trial.diff, trial.allowed);
  if (refused.length > 0) return { verdict: "refused", told: describeRefusal(refused), report: null };
  return withScratch(trial.scratchDir, async (scratch) => {
    const { root, limits, signal, before } = trial;
    const copied = await copyCheckout({ from: root, to: scratch.work, signal });
    const problem = trial.diff === null ? null : await applyIn(scratch.work, trial.diff);
    if (problem !== null) return { verdict: "does_not_apply", told: problem, report: null };
    for (const { path, text } of trial.written ?? []) {
      await mkdir(dirname(join(scratch.work, path)), { recursive: true });
      await writeFile(join(scratch.work, path), text, { flag: "wx" });
    }
    const written = (trial.written ?? []).map(({ path }) => path);
    const paths = [...new Set([...copied.map(({ path }) => path), ...written])];
    const files = findTests(paths, trial.allowed.tests, written);
    if (files.length === 0) return { verdict: "no_tests", told: "The project has no tests.", report: null };
    if (files.length > limits.testFilesMax) {
      const told = `There are more than ${limits.testFilesMax} test files: name those that judge in \`tests\`.`;
      return { verdict: "no_tests", told, report: null };
    }
    const report = toReport(await runTests({ scratch, files, limits, signal }), before);
    return { verdict: isGreen(report) ? "green" : "red", told: "", report };
  });
}

function describeRefusal(refused: ReturnType<typeof refusePaths>): string {
  const reasons = {
    changes_tests: "changes the tests that judge it",
    not_editable: "is none of the paths that may be changed",
    settings: "decides how the project is run",
    dependency: "is code of others",
    outside: "does not lie in the project",
  } as const;
  return refused
    .map(({ path, reason }) => `${path} ${reasons[reason]}`)
    .join("; ")
    .slice(0, 600);
}

/** @returns Why the diff does not fit; null when it is applied. */
async function applyIn(work: string, diff: string): Promise<string | null> {
  const { applied } = await readPatched(work, diff);
  if (!applied.ok) return `${applied.path === "" ? "" : `${applied.path}: `}${applied.problem}`.slice(0, 600);
  for (const [path, text] of applied.files) {
    const place = join(work, path);
    if (text === null) await rm(place);
    else {
      await mkdir(dirname(place), { recursive: true });
      await writeFile(place, text);
    }
  }
  return null;
}

function findTests(paths: readonly string[], named: readonly string[], written: readonly string[]): string[] {
  if (named.length === 0) return paths.filter(isRunAsTest);
  // A folder that is named holds more than tests, unless it is a folder of tests.
  const judges = paths.filter(
    (path) => isSource(path) && isUnder(path, named) && (belongsToTests(path) || named.includes(path)),
  );
  return [...new Set([...judges, ...written])];
}

/** Longer than any trial takes: an older folder is left by a process that died. */
const AGE_MS_MAX = 3_600_000;

/** Does some work in a scratch folder of its own and removes it, however the work ends. */
export async function withScratch<Result>(
  scratchDir: string,
  act: (scratch: Scratch) => Promise<Result>,
): Promise<Result> {
  await mkdir(scratchDir, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(await realpath(scratchDir), "trial-"));
  const [work, temporary] = [join(folder, "work"), join(folder, "tmp")];
  try {
    await mkdir(work);
    await mkdir(temporary);
    return await act({ work, temporary });
  } finally {
    await remove(folder);
  }
}

/** Removes the folders of processes that died, by their age. Returns how many. */
export async function sweepScratch(scratchDir: string): Promise<number> {
  const names = await readdir(scratchDir).catch(() => []);
  let removed = 0;
  for (const name of names.filter((each) => each.startsWith("trial-"))) {
    const folder = join(scratchDir, name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
    if (wallNow() - mtimeMs <= AGE_MS_MAX) continue;
    await remove(folder);
    removed += 1;
  }
  return removed;
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
