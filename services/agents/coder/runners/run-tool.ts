import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { runSandboxed } from "#shared/sandbox";
import type { SandboxedEnd, SandboxPlaces } from "#shared/sandbox";
import { testEnvironment } from "../trial/test-environment.ts";
import type { FileResult } from "../trial/report.ts";
import type { RawTest } from "./results/raw-test.ts";
import { bareFailure, toFileResults } from "./results/raw-test.ts";
import type { SuiteRun } from "./runner.ts";
import type { Tool } from "./tools.ts";

const CHILD = fileURLToPath(new URL(`child/run-command${extname(import.meta.filename)}`, import.meta.url));
const PRINTED_TOLD_MAX = 4000;

const childResult = z.object({ exitCode: z.int().nullable(), report: z.string() });

/** One start of a tool that runs a whole suite. */
export interface ToolRun {
  readonly tool: Tool;
  readonly args: (places: SandboxPlaces) => readonly string[];
  /** Path of the report that the tool writes. */
  readonly reportFile: (places: SandboxPlaces) => string;
  readonly env: Readonly<Record<string, string>>;
  /** Test files that have to report at least one test. */
  readonly files: readonly string[];
  readonly read: (report: string) => readonly RawTest[];
}

/** Runs a tool in the sandbox and reads its report. A tool that failed although no test did, is a failure itself. */
export async function runTool(run: ToolRun, suite: SuiteRun): Promise<readonly FileResult[]> {
  const end = await start(run, suite);
  const [first = "tests"] = run.files;
  if (end.stopped !== null)
    return [failed(first, "stopped", `The tests were stopped at their bound of ${end.stopped}.`)];
  const parsed = childResult.safeParse(parse(end.result));
  const { exitCode, report } = parsed.success ? parsed.data : { exitCode: null, report: "" };
  const said = end.output.slice(0, PRINTED_TOLD_MAX);
  const around = { folder: end.places.work, files: run.files, said };
  const results = toFileResults(run.read(report), around);
  const isRed = results.some(({ failing }) => failing.length > 0);
  if (isRed || exitCode === 0) return results;
  const message = `Its tests passed, but the process ended with code ${exitCode ?? "none"}. ${said.trim().slice(-300)}`;
  return [...results, failed(first, "exception", message)];
}

async function start({ tool, args, reportFile, env }: ToolRun, suite: SuiteRun): Promise<SandboxedEnd> {
  const { scratch, limits, signal } = suite;
  return runSandboxed({
    args: (places) => [
      "--disable-warning=ExperimentalWarning",
      CHILD,
      reportFile(places),
      tool.program,
      ...args(places),
    ],
    env: (places) => ({ ...testEnvironment(places), ...env }),
    visible: [CHILD, ...tool.visible],
    folders: { work: scratch.work, temporary: scratch.temporary },
    mayStartWritten: true,
    input: null,
    bounds: {
      timeMs: limits.commandMs,
      outputBytesMax: limits.outputBytesMax,
      resultBytesMax: limits.reportBytesMax,
      memoryBytesMax: limits.commandMemoryBytesMax,
      writtenBytesMax: limits.commandWrittenBytesMax,
      filesMax: limits.filesMax,
      tasksMax: limits.commandTasksMax,
    },
    signal,
    onGroup: (pid) => scratch.recordGroup(pid),
  });
}

function failed(file: string, kind: "stopped" | "exception", message: string): FileResult {
  return { file, passed: 0, failing: [bareFailure(file, kind, message)], isLoaded: true };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
