import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { needsCodeIsolation, runSandboxed } from "#shared/sandbox";
import type { SandboxPlaces } from "#shared/sandbox";
import type { TrialLimits } from "../limits.ts";
import type { SuiteRun } from "../runners/runner.ts";
import { bareFailure } from "../runners/results/raw-test.ts";
import { readResults } from "./read-results.ts";
import type { RanFile } from "./read-results.ts";
import { FAILING_TOLD_MAX } from "./report.ts";
import type { FailingTest, FileResult, TestReport } from "./report.ts";
import { testEnvironment } from "./test-environment.ts";

const FAILING_BYTES_MAX = 32 * 1024;
const REPORTER = new URL(`child/report-tests${extname(import.meta.filename)}`, import.meta.url);
const CHILD = dirname(fileURLToPath(REPORTER));

/** Runs test files one after the other, each in a process of its own, within one common time. */
export async function runSuite({ files, limits, ...run }: SuiteRun): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const endsAt = performance.now() + limits.suiteMs;
  for (const file of files.slice(0, limits.testFilesMax)) {
    const timeMs = Math.max(1, Math.ceil(endsAt - performance.now()));
    const result = await runFile(file, { ...run, limits: { ...limits, suiteMs: timeMs } });
    results.push(result);
  }
  return results;
}

type FileRun = Pick<SuiteRun, "scratch" | "limits" | "signal" | "withCoverage">;

/**
 * Runs one test file. A process that ended before it said or reported anything is started once more: a machine short
 * of memory or processes kills without a word, which says nothing about the patch.
 */
async function runFile(file: string, run: FileRun): Promise<FileResult> {
  const first = await startFile(file, run);
  const isSilent = first.end.stopped === null && first.end.result === "" && first.end.output === "";
  return readResults(isSilent ? await startFile(file, run) : first);
}

async function startFile(
  file: string,
  { scratch, limits, signal, withCoverage = false }: FileRun,
): Promise<RanFile> {
  const end = await runSandboxed({
    args: (places) => [
      ...flags(places, limits),
      ...(withCoverage ? coverageFlags() : []),
      join(places.work, file),
    ],
    env: testEnvironment,
    visible: [CHILD],
    folders: { work: scratch.work, temporary: scratch.temporary },
    input: null,
    bounds: {
      timeMs: limits.suiteMs,
      outputBytesMax: limits.outputBytesMax,
      resultBytesMax: limits.reportBytesMax,
      memoryBytesMax: limits.memoryBytesMax,
      writtenBytesMax: limits.writtenBytesMax,
      filesMax: limits.filesMax,
      tasksMax: limits.tasksMax,
    },
    signal,
    onGroup: (pid) => scratch.recordGroup(pid),
  });
  return { file, end };
}

/**
 * The permission model keeps the tests to their copy a second time: should the sandbox be switched off, they still
 * start no process and no thread, and read and write nothing else. What they print while they run is theirs; the
 * report goes to a descriptor of its own.
 */
function flags({ work, temporary }: SandboxPlaces, limits: TrialLimits): string[] {
  const heapMebibytes = Math.max(32, Math.floor(limits.memoryBytesMax / 2 / 1024 / 1024));
  return [
    "--permission",
    `--allow-fs-read=${work}`,
    `--allow-fs-read=${temporary}`,
    `--allow-fs-read=${CHILD}`,
    `--allow-fs-write=${work}`,
    `--allow-fs-write=${temporary}`,
    `--max-old-space-size=${heapMebibytes}`,
    "--disable-warning=ExperimentalWarning",
    "--disable-warning=SecurityWarning",
    "--no-addons",
    `--test-reporter=${REPORTER.href}`,
    "--test-reporter-destination=stdout",
  ];
}

/**
 * The lines that ran are read by the inspector, which leads around the permission model. It is allowed where the
 * sandbox holds the tests anyway, and to a Node that knows the flag.
 */
function coverageFlags(): string[] {
  const canAllow = process.allowedNodeEnvironmentFlags.has("--allow-inspector");
  return canAllow && needsCodeIsolation() ? ["--allow-inspector", "--experimental-test-coverage"] : [];
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

/** Returns the first failures that fit into a recorded step. */
function fitting(failing: readonly FailingTest[]): FailingTest[] {
  let told = failing.slice(0, FAILING_TOLD_MAX);
  while (told.length > 1 && Buffer.byteLength(JSON.stringify(told)) > FAILING_BYTES_MAX)
    told = told.slice(0, -1);
  return told;
}

/**
 * A file that suddenly has fewer tests hides some: a patch may end the process early, or keep tests from being
 * run.
 */
function withVanished(result: FileResult, before: TestReport | null): FileResult {
  const tests = result.passed + result.failing.length;
  const expected = before?.files.find(({ file }) => file === result.file)?.tests ?? 0;
  if (!result.isLoaded || tests >= expected) return result;
  const message = `Only ${tests} of ${expected} tests ran.`;
  return { ...result, failing: [...result.failing, bareFailure(result.file, "vanished", message)] };
}
