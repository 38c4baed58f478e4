import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { runSandboxed } from "#shared/sandbox";
import type { SandboxedEnd, SandboxPlaces } from "#shared/sandbox";
import type { FileResult } from "../trial/report.ts";
import { bareFailure, toFileResults } from "./results/raw-test.ts";
import type { RawTest } from "./results/raw-test.ts";
import type { SuiteRun } from "./runner.ts";
import type { Tool } from "./tools.ts";

const CHILD = fileURLToPath(new URL(`child/run-command${extname(import.meta.filename)}`, import.meta.url));
const PRINTED_TOLD_MAX = 4000;

/** One start of Node, whose report comes on file descriptor 3. */
export interface Start {
  readonly args: (places: SandboxPlaces) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Readable files and folders. */
  readonly visible: readonly string[];
  /** True: what it writes may be started, which compilers and native modules need. Default false. */
  readonly mayStartWritten?: boolean;
  /** Test files that have to report at least one test. */
  readonly files: readonly string[];
  readonly read: (report: string) => readonly RawTest[];
}

/** One start of a tool that runs a whole suite and writes a report. */
export interface ToolRun extends Pick<Start, "args" | "env" | "files" | "read"> {
  readonly tool: Tool;
  /** Path of the report that the tool writes. */
  readonly reportFile: (places: SandboxPlaces) => string;
}

/** Runs a tool in the sandbox and reads its report. */
export function runTool({ tool, args, reportFile, ...run }: ToolRun, suite: SuiteRun): Promise<FileResult[]> {
  const child = ["--disable-warning=ExperimentalWarning", CHILD];
  return runStart(
    {
      ...run,
      args: (places) => [...child, reportFile(places), tool.program, ...args(places)],
      visible: [CHILD, ...tool.visible],
      mayStartWritten: true,
    },
    suite,
  );
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
  const { args, env = {}, visible, mayStartWritten = false } = start;
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
      ...env,
    }),
    visible,
    folders: { work: scratch.work, temporary: scratch.temporary },
    mayStartWritten,
    input: null,
    bounds: limits.start,
    signal,
    onGroup: (pid) => scratch.recordGroup(pid),
  });
}
