import { z } from "zod";
import type { SandboxedEnd } from "#shared/sandbox";
import { bareFailure, toFileResults } from "../runners/results/raw-test.ts";
import type { RawTest } from "../runners/results/raw-test.ts";
import type { FailingTest, FileResult } from "./report.ts";

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

export interface RanFile {
  readonly file: string;
  readonly end: SandboxedEnd;
}

/**
 * Reads the result of a test file of `node:test`. Without the report's last line, or with an exit code that says
 * otherwise, something failed, whatever the single tests say.
 */
export function readResults(ran: RanFile): FileResult {
  const { result, places } = ran.end;
  const line = result.split("\n").find((each) => each.startsWith('{"covered":'));
  const parsed = coverageLine.safeParse(parse(line ?? ""));
  if (!parsed.success) return readTests(ran);
  const covered = parsed.data.covered.map(({ path, lines }) => ({
    path: path.replace(`${places.work}/`, ""),
    lines,
  }));
  return { ...readTests(ran), covered };
}

function readTests({ file, end }: RanFile): FileResult {
  const lines = end.result.split("\n").filter((line) => line !== "");
  const tests = lines.flatMap((line) => {
    const parsed = resultLine.safeParse(parse(line));
    return parsed.success ? [toRaw(file, parsed.data)] : [];
  });
  const said = end.output.trim() || describeSilence(end);
  const [read] = toFileResults(tests, { folder: end.places.work, files: [file], said });
  const { passed, failing, isLoaded } = read ?? { passed: 0, failing: [], isLoaded: false };
  const startingWith = (first: FailingTest): FileResult => ({
    file,
    passed,
    failing: isLoaded ? [first, ...failing] : [first],
    isLoaded: true,
  });
  if (end.stopped !== null)
    return startingWith(
      bareFailure(file, "stopped", `The tests were stopped at their bound of ${end.stopped}.`),
    );
  const isWhole = lines.at(-1) === '{"end":true}';
  if (failing.length > 0 || (isWhole && end.exitCode === 0)) return { file, passed, failing, isLoaded };
  const last = end.output.split("\n").find((line) => line.includes("Error: ")) ?? "";
  const code = end.exitCode ?? "none";
  const message = `Its tests passed, but the process ended before they were all told (code ${code}). ${last}`;
  return startingWith(bareFailure(file, "exception", message.replaceAll(end.places.work, ".")));
}

function toRaw(file: string, { name, line, failure: said }: z.output<typeof resultLine>): RawTest {
  if (said === null) return { file, name, hasPassed: true, line, text: "" };
  const isComparison = said.code === "ERR_ASSERTION" || said.name === "AssertionError";
  return {
    file,
    name,
    hasPassed: false,
    line,
    text: isComparison ? said.message : `${said.name}: ${said.message}`,
    details: {
      kind: isComparison ? "assertion" : "exception",
      expected: said.expected ?? null,
      actual: said.actual ?? null,
      stack: said.stack,
    },
  };
}

function describeSilence({ exitCode, signal }: SandboxedEnd): string {
  return `No test ran: the process printed nothing and ended ${signal === null ? `with code ${exitCode ?? "none"}` : `by ${signal}`}.`;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
