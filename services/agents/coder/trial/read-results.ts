import { z } from "zod";
import type { SandboxedEnd } from "#shared/sandbox";
import { readFrames } from "./read-frames.ts";
import type { FailingTest } from "./report.ts";

const failure = z.object({
  name: z.string(),
  code: z.string().default(""),
  message: z.string(),
  stack: z.string(),
  expected: z.string().optional(),
  actual: z.string().optional(),
});

/** One line of `child/report-tests.ts`. */
const resultLine = z.object({ name: z.string(), line: z.int(), failure: failure.nullable() });

/** The line with what ran, where coverage was asked for. */
const coverageLine = z.object({
  covered: z.array(z.object({ path: z.string(), lines: z.array(z.int()) })),
});

type Failure = z.output<typeof failure>;

const MESSAGE_LENGTH_MAX = 600;
const NAME_LENGTH_MAX = 300;
const VALUE_LENGTH_MAX = 400;

/** The result of one test file. */
export interface FileResult {
  readonly file: string;
  /** Names of tests that passed. */
  readonly passed: number;
  readonly failing: readonly FailingTest[];
  /** False: the file did not come to its tests. */
  readonly isLoaded: boolean;
  /** Lines that ran, by file. Absent: not measured. */
  readonly covered?: readonly CoveredFile[];
}

export interface CoveredFile {
  readonly path: string;
  /** From 1. */
  readonly lines: readonly number[];
}

export interface RanFile {
  readonly file: string;
  readonly end: SandboxedEnd;
}

/**
 * Reads what a test file came to. A file is only as good as its report: without the report's last line, or with
 * an exit code that says otherwise, something failed, whatever the single tests say.
 */
export function readResults(ran: RanFile): FileResult {
  const covered = readCoverage(ran.end);
  return covered === null ? readTests(ran) : { ...readTests(ran), covered };
}

function readCoverage({ result, places }: SandboxedEnd): CoveredFile[] | null {
  const line = result.split("\n").find((each) => each.startsWith('{"covered":'));
  const parsed = coverageLine.safeParse(parse(line ?? ""));
  if (!parsed.success) return null;
  return parsed.data.covered.map(({ path, lines }) => ({ path: path.replace(`${places.work}/`, ""), lines }));
}

function readTests({ file, end }: RanFile): FileResult {
  const folder = end.places.work;
  const lines = end.result.split("\n").filter((line) => line !== "");
  const isWhole = lines.at(-1) === '{"end":true}';
  const results = lines.flatMap((line) => {
    const parsed = resultLine.safeParse(parse(line));
    return parsed.success ? [parsed.data] : [];
  });
  const failing = results.flatMap((one): FailingTest[] =>
    one.failure === null
      ? []
      : [toFailing({ file, folder, name: one.name, line: one.line, failure: one.failure })],
  );
  const passed = results.length - failing.length;
  const around = { file, folder, end };
  if (end.stopped !== null)
    return { file, passed, failing: [stoppedAt(end.stopped, around), ...failing], isLoaded: true };
  if (results.length === 0) return { file, passed: 0, failing: [didNotLoad(around)], isLoaded: false };
  if (failing.length === 0 && (!isWhole || end.exitCode !== 0))
    return { file, passed, failing: [endedBadly(around)], isLoaded: true };
  return { file, passed, failing, isLoaded: true };
}

interface Around {
  readonly file: string;
  readonly folder: string;
  readonly end: SandboxedEnd;
}

interface Failed {
  readonly file: string;
  readonly folder: string;
  readonly name: string;
  readonly line: number;
  readonly failure: Failure;
}

function toFailing({ file, folder, name, line, failure: told }: Failed): FailingTest {
  const isComparison = told.code === "ERR_ASSERTION" || told.name === "AssertionError";
  const message = isComparison ? told.message : `${told.name}: ${told.message}`;
  return {
    file,
    name: name.slice(0, NAME_LENGTH_MAX),
    kind: isComparison ? "assertion" : "exception",
    line,
    message: clean(message, folder),
    expected: told.expected === undefined ? null : clean(told.expected, folder).slice(0, VALUE_LENGTH_MAX),
    actual: told.actual === undefined ? null : clean(told.actual, folder).slice(0, VALUE_LENGTH_MAX),
    frames: readFrames(told.stack, folder),
  };
}

function bare(file: string, kind: FailingTest["kind"], message: string): FailingTest {
  return { file, name: "", kind, line: 0, message, expected: null, actual: null, frames: [] };
}

function stoppedAt(bound: NonNullable<SandboxedEnd["stopped"]>, { file }: Around): FailingTest {
  return bare(file, "stopped", `The tests were stopped at their bound of ${bound}.`);
}

/** What an error at loading prints is all there is: its last line with a name and a colon, and its places. */
function didNotLoad({ file, folder, end }: Around): FailingTest {
  const said = end.output.split("\n").find((line) => /^(?:\w*Error)(?: \[\w+\])?: /.test(line));
  const frames = readFrames(end.output, folder);
  return { ...bare(file, "load", clean(said ?? (end.output.trim() || silentEnd(end)), folder)), frames };
}

function silentEnd({ exitCode, signal }: SandboxedEnd): string {
  return `No test ran: the process printed nothing and ended ${signal === null ? `with code ${exitCode ?? "none"}` : `by ${signal}`}.`;
}

function endedBadly({ file, folder, end }: Around): FailingTest {
  const said = end.output.split("\n").find((line) => /Error: /.test(line)) ?? "";
  const message = `Its tests passed, but the process ended before they were all told (code ${end.exitCode ?? "none"}). ${said}`;
  return bare(file, "exception", clean(message, folder));
}

/** Removes the scratch folder's name, which differs each time. */
function clean(text: string, folder: string): string {
  return text
    .replaceAll(`file://${folder}/`, "")
    .replaceAll(`${folder}/`, "")
    .replaceAll(folder, ".")
    .slice(0, MESSAGE_LENGTH_MAX);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
