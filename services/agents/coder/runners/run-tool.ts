import { existsSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runSandboxed } from "#shared/sandbox";
import type { SandboxedEnd, SandboxPlaces } from "#shared/sandbox";
import type { FileResult } from "../trial/report.ts";
import { bareFailure, toFileResults } from "./results/raw-test.ts";
import type { RawTest } from "./results/raw-test.ts";
import { readJest } from "./results/read-jest.ts";
import type { SuiteRun } from "./runner.ts";

const CHILD = fileURLToPath(new URL(`child/run-command${extname(import.meta.filename)}`, import.meta.url));
const PRINTED_TOLD_MAX = 4000;
/** Shared libraries of the system, which native modules load. They hold no data. */
const LIBRARIES = ["/lib", "/lib64", "/usr/lib", "/usr/lib64"];

/** One start of Node, whose report comes on file descriptor 3. */
export interface Start {
  readonly args: (places: SandboxPlaces) => readonly string[];
  /** Readable files and folders. */
  readonly visible: readonly string[];
  /** True: what it writes may be started, which compilers and native modules need. Default false. */
  readonly mayStartWritten?: boolean;
  /** Test files that have to report at least one test. */
  readonly files: readonly string[];
  readonly read: (report: string) => readonly RawTest[];
}

/** A tool of the checkout's dependencies that runs a whole suite and writes a report. */
interface ToolRun {
  /** Path of the tool's script in the copy. */
  readonly script: string;
  /** Arguments before the test files, for the path of a report. */
  readonly args: (report: string) => readonly string[];
  /** The folder whose dependencies the copy uses. Null: it has its own. */
  readonly modules: string | null;
}

/** Runs a tool in the sandbox and reads its report. */
export function runTool({ script, args, modules }: ToolRun, suite: SuiteRun): Promise<FileResult[]> {
  const { files } = suite;
  return runStart(
    {
      args: ({ work, temporary }) => {
        const report = join(temporary, "report");
        const tool = [process.execPath, join(work, script), ...args(report), ...files];
        return ["--disable-warning=ExperimentalWarning", CHILD, report, ...tool];
      },
      visible: [CHILD, ...outermost([...(modules === null ? [] : [modules]), ...LIBRARIES])],
      mayStartWritten: true,
      files,
      read: readJest,
    },
    suite,
  );
}

/** Drops what is missing and what lies in another folder of the list. */
function outermost(folders: readonly string[]): string[] {
  const all = folders.filter((folder) => existsSync(folder));
  return all.filter((folder) => !all.some((other) => folder.startsWith(`${other}/`)));
}

/**
 * Runs tests in the sandbox and reads their report. What failed although no test did, is a failure itself. A process
 * that was killed before it printed or reported anything is started once more: a machine short of memory kills without
 * a word, which says nothing about the patch.
 */
export async function runStart(start: Start, suite: SuiteRun): Promise<FileResult[]> {
  const first = await startIn(start, suite);
  const isSilent = first.signal !== null && first.stopped === null && first.result + first.output === "";
  const end = isSilent ? await startIn(start, suite) : first;
  const [file = "tests"] = start.files;
  if (end.stopped !== null) {
    const message = `The tests were stopped at their bound of ${end.stopped}.`;
    return [{ file, passed: 0, failing: [bareFailure(file, message)], isLoaded: true }];
  }
  const code = end.signal ?? `code ${end.exitCode}`;
  const said = end.output.trim().slice(0, PRINTED_TOLD_MAX) || `Nothing was printed; it ended with ${code}.`;
  const results = toFileResults(start.read(end.result), {
    folder: end.places.work,
    files: start.files,
    said,
  });
  if (end.exitCode === 0 || results.some(({ failing }) => failing.length > 0)) return results;
  const message = `Its tests passed, but the process ended with ${code}. ${said.slice(-300)}`;
  const failure = bareFailure(file, message.replaceAll(end.places.work, "."));
  return results.map((result, index) => (index === 0 ? { ...result, failing: [failure] } : result));
}

function startIn(start: Start, { scratch, limits, signal }: SuiteRun): Promise<SandboxedEnd> {
  const { args, visible, mayStartWritten = false } = start;
  return runSandboxed({
    args,
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
    visible,
    folders: { work: scratch.work, temporary: scratch.temporary },
    mayStartWritten,
    input: null,
    bounds: limits.start,
    signal,
  });
}
