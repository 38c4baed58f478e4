import { mkdir, rm, writeFile, realpath, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { existsSync } from "node:fs";
import { belongsToTests, isSource, isUnder } from "../checkout/project-path.ts";
import { copyCheckout } from "../checkout/walk-files.ts";
import { readText } from "../checkout/search-text.ts";
import type { WrittenTest } from "../contracts.ts";
import { readPatched } from "../diff/apply-diff.ts";
import { refusePaths } from "../diff/refuse-paths.ts";
import type { Allowed } from "../diff/refuse-paths.ts";
import type { TrialLimits } from "../limits.ts";
import { isGreen, testReport, toReport } from "./report.ts";
import type { TestReport } from "./report.ts";
import { openRunner } from "../runners/pick-runner.ts";
import { RUNNER_NAMES } from "../runners/runner.ts";
import type { Runner, RunnerName } from "../runners/runner.ts";
import { withScratch } from "./scratch.ts";

/** The result of a trial. `report` is null where no test ran. */
export const trialResult = z.object({
  verdict: z.enum(["green", "red", "refused", "does_not_apply", "no_tests", "no_runner"]),
  /** What is wrong with the diff; "" where tests ran. */
  told: z.string().max(600),
  report: testReport.nullable(),
  /** Tool that ran the tests. Absent: none ran. */
  runner: z.enum(RUNNER_NAMES).optional(),
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
  /** Tool that runs the tests. Null or absent: the one that the checkout shows. */
  readonly runner?: RunnerName | null;
  /** Folder of dependencies for checkouts without their own. Null or absent: none. */
  readonly modules?: string | null;
  /** Tests that are run besides those of the checkout. */
  readonly written?: readonly WrittenTest[];
}

/**
 * Tries a diff: holds its paths against what the task allows, applies it strictly in a scratch copy, runs the tests.
 * No model takes part. Trying the same twice says the same, as far as the project's tests do.
 */
export async function tryDiff(trial: Trial): Promise<TrialResult> {
  const refused = trial.diff === null ? [] : refusePaths(trial.diff, trial.allowed);
  if (refused.length > 0) return { verdict: "refused", told: describeRefusal(refused), report: null };
  return withScratch(trial.scratchDir, async (scratch) => {
    const { root, limits, signal, before } = trial;
    const copied = await copyCheckout({ from: root, to: scratch.work, signal });
    const problem = trial.diff === null ? null : await applyIn(scratch.work, trial.diff);
    if (problem !== null) return { verdict: "does_not_apply", told: problem, report: null };
    for (const { path, text } of trial.written ?? []) await writeNew(join(scratch.work, path), text);
    const written = (trial.written ?? []).map(({ path }) => path);
    const paths = [...new Set([...copied.map(({ path }) => path), ...written])];
    const runner = await openRunnerFor(trial, scratch.work, paths);
    if ("missing" in runner)
      return { verdict: "no_runner", told: `${runner.name}: ${runner.missing}`, report: null };
    const files = findTests(runner, paths, trial.allowed.tests, written);
    if (files.length === 0) return { verdict: "no_tests", told: "The project has no tests.", report: null };
    if (runner.name === "node:test" && files.length > limits.testFilesMax) {
      const told = `There are more than ${limits.testFilesMax} test files: name those that judge in \`tests\`.`;
      return { verdict: "no_tests", told, report: null };
    }
    const report = toReport(await runner.run({ scratch, files, limits, signal }), before);
    return { verdict: isGreen(report) ? "green" : "red", told: "", report, runner: runner.name };
  });
}

async function openRunnerFor(trial: Trial, work: string, paths: readonly string[]) {
  const read = async (path: string): Promise<string> => (await readText({ root: work, path })) ?? "";
  const modules = await linkModules(work, trial.modules ?? null);
  return openRunner(trial.runner ?? null, { work, paths, modules, read });
}

/** Writes a test where no file is. */
async function writeNew(place: string, text: string): Promise<void> {
  await mkdir(dirname(place), { recursive: true });
  await writeFile(place, text, { flag: "wx" });
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

function findTests(
  runner: Runner,
  paths: readonly string[],
  named: readonly string[],
  written: readonly string[],
): string[] {
  if (named.length === 0) return paths.filter((path) => runner.isTest(path));
  // A folder that is named holds more than tests, unless it is a folder of tests.
  const judges = paths.filter(
    (path) => isSource(path) && isUnder(path, named) && (belongsToTests(path) || named.includes(path)),
  );
  return [...new Set([...judges, ...written])];
}

/**
 * Links a folder of installed packages into a copy that has none. The link leads to a folder that the operator named
 * and that the tests may read.
 *
 * @returns The folder's real path; null where nothing was linked.
 */
async function linkModules(work: string, modules: string | null): Promise<string | null> {
  const place = join(work, "node_modules");
  if (modules === null || !existsSync(modules) || existsSync(place)) return null;
  const real = await realpath(modules);
  await symlink(real, place);
  return real;
}
