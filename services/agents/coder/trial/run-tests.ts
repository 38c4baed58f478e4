import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { readJson } from "#shared/json";
import { runSandboxed } from "#shared/sandbox";
import type { SandboxedEnd, SandboxPlaces } from "#shared/sandbox";
import { isProjectPath } from "../checkout/project-path.ts";
import type { FailingTest, FileResult, Frame } from "./report.ts";

/** Bounds of one run of a project's tests. */
export const TRIAL_LIMITS_DEFAULT = {
  /** Bounds of one start of Node. The time is that of the whole suite. */
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
  /** Test files of a suite, which are processes of their own. */
  testFilesMax: 100,
};

export type TrialLimits = Readonly<typeof TRIAL_LIMITS_DEFAULT>;

const REPORTER = new URL(`child/report-tests${extname(import.meta.filename)}`, import.meta.url);
const CHILD = dirname(fileURLToPath(REPORTER));
const PRINTED_TOLD_MAX = 4000;

const reportSchema = z.array(z.object({ name: z.string(), hasPassed: z.boolean(), text: z.string() }));

type RawTest = z.output<typeof reportSchema>[number];

/** A folder for one trial, which goes when the trial is over. */
export interface Scratch {
  /** Real path of an empty folder for the copy. */
  readonly work: string;
  /** Real path of an empty folder for temporary files. */
  readonly temporary: string;
}

interface SuiteRun {
  readonly scratch: Scratch;
  /** Test files by their paths in the copy, in the order in which they are run. */
  readonly files: readonly string[];
  readonly limits: TrialLimits;
  readonly signal: AbortSignal;
}

/** Runs files of `node:test` one after the other, each in a process of its own, within one common time. */
export async function runTests({ files, limits, ...run }: SuiteRun): Promise<FileResult[]> {
  const results: FileResult[] = [];
  const endsAt = performance.now() + limits.start.timeMs;
  for (const file of files) {
    const timeMs = Math.max(1, Math.ceil(endsAt - performance.now()));
    results.push(await runFile(file, { ...run, bounds: { ...limits.start, timeMs } }));
  }
  return results;
}

interface FileRun extends Pick<SuiteRun, "scratch" | "signal"> {
  readonly bounds: TrialLimits["start"];
}

/**
 * Runs a test file in the sandbox and reads its report. A process that was killed before it printed or reported
 * anything is started once more: a machine short of memory kills without a word, which says nothing about the patch.
 */
async function runFile(file: string, run: FileRun): Promise<FileResult> {
  const first = await start(file, run);
  const isSilent = first.signal !== null && first.stopped === null && first.result + first.output === "";
  const end = isSilent ? await start(file, run) : first;
  if (end.stopped !== null) {
    const stopped = bareFailure(file, `The tests were stopped at their bound of ${end.stopped}.`);
    return { file, passed: 0, failing: [stopped], isLoaded: true };
  }
  const { work: folder } = end.places;
  const code = end.signal ?? `code ${end.exitCode}`;
  const said = end.output.trim().slice(0, PRINTED_TOLD_MAX) || `Nothing was printed; it ended with ${code}.`;
  // A report that cannot be read has no tests.
  const tests = reportSchema.safeParse(readJson(end.result)).data ?? [];
  if (tests.length === 0) return notLoaded(file, said, folder);
  const failing = tests.filter(({ hasPassed }) => !hasPassed).map((test) => toFailing(test, file, folder));
  const passed = tests.length - failing.length;
  if (end.exitCode === 0 || failing.length > 0) return { file, passed, failing, isLoaded: true };
  const message = `Its tests passed, but the process ended with ${code}. ${said.slice(-300)}`;
  return { file, passed, failing: [bareFailure(file, message.replaceAll(folder, "."))], isLoaded: true };
}

function start(file: string, { scratch, signal, bounds }: FileRun): Promise<SandboxedEnd> {
  return runSandboxed({
    args: (places) => [...flags(places, bounds), join(places.work, file)],
    // No secrets, proxies or options for Node.
    env: ({ temporary }) => ({
      PATH: "/usr/local/bin:/usr/bin:/bin",
      HOME: temporary,
      TMPDIR: temporary,
      LANG: "C.UTF-8",
      TZ: "UTC",
      NODE_ENV: "test",
      NO_COLOR: "1",
    }),
    visible: [CHILD],
    folders: { work: scratch.work, temporary: scratch.temporary },
    input: null,
    bounds,
    signal,
  });
}

/**
 * The permission model keeps the tests to their copy a second time: should the sandbox be switched off, they still
 * start no process and no thread, and read and write nothing else. What they print while they run is theirs; the
 * report goes to a descriptor of its own.
 */
function flags({ work, temporary }: SandboxPlaces, { memoryBytesMax }: TrialLimits["start"]): string[] {
  const heapMebibytes = Math.max(32, Math.floor(memoryBytesMax / 2 / 1024 / 1024));
  return [
    "--permission",
    ...[work, temporary, CHILD].map((folder) => `--allow-fs-read=${folder}`),
    ...[work, temporary].map((folder) => `--allow-fs-write=${folder}`),
    `--max-old-space-size=${heapMebibytes}`,
    "--disable-warning=ExperimentalWarning",
    "--disable-warning=SecurityWarning",
    "--no-addons",
    `--test-reporter=${REPORTER.href}`,
    "--test-reporter-destination=stdout",
  ];
}

const MESSAGE_LENGTH_MAX = 600;
const FRAMES_MAX = 12;
/** `at name (path:3:1)`, or `path:3`. */
const PLACE = /(?:^|[\s(])(?:file:\/\/)?([^\s():"]{1,400}\.\w{1,4}):(\d{1,7})(?::\d{1,7})?/gm;

function notLoaded(file: string, said: string, folder: string): FileResult {
  // The line that names the error: others hold times of day.
  const line = said.split("\n").find((each) => /\w*Error(?: \[\w+\])?: |cannot |fatal/.test(each));
  const message = clean(line ?? said.slice(-MESSAGE_LENGTH_MAX), folder) || "No test ran.";
  const failure = { ...bareFailure(file, message), frames: readFrames(said, folder) };
  return { file, passed: 0, failing: [failure], isLoaded: false };
}

function toFailing({ name, text }: RawTest, file: string, folder: string): FailingTest {
  const frames = readFrames(text, folder);
  const line = frames.find(({ path }) => path === file)?.line ?? 0;
  return { ...bareFailure(file, clean(text, folder)), name: name.slice(0, 300), line, frames };
}

function bareFailure(file: string, message: string): FailingTest {
  return { file, name: "", line: 0, message: message.slice(0, MESSAGE_LENGTH_MAX), frames: [] };
}

/** Returns the places in the project that a text names, in its order, with paths from the project's root. */
function readFrames(text: string, folder: string): Frame[] {
  const frames = [...text.matchAll(PLACE)].flatMap(([, named = "", line]): Frame[] => {
    const path = named.replace(`${folder}/`, "").replace(/^\.\//, "");
    if (!isProjectPath(path) || path.includes("node_modules/")) return [];
    return [{ path, line: Number(line) }];
  });
  return frames.slice(0, FRAMES_MAX);
}

/** Removes the folder of the copy and the durations, which differ each time, colours, and Node's own stack. */
function clean(text: string, folder: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/^\s+at .*(?:node_modules|node:).*\n?/gm, "")
    .replaceAll(`file://${folder}/`, "")
    .replaceAll(`${folder}/`, "")
    .replaceAll(folder, ".")
    .replaceAll(/\b\d+(?:\.\d+)?\s?m?s\b/g, "")
    .replaceAll(/0x[0-9a-f]{6,}/g, "0x")
    .trim();
}
