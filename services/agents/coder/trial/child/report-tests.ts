// A reporter for `node --test-reporter`, loaded into the process of the tests: one line of JSON for each test, and
// a last one that says that nothing is missing. It imports nothing of ours, because that process may read nothing
// else of ours. It writes to file descriptor 3: Node's own writer wants to flush, which the permission model
// refuses, and standard output is the tests'.
import { writeFileSync } from "node:fs";
import { inspect } from "node:util";

interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly name?: string;
    readonly line?: number;
    readonly details?: { readonly type?: string; readonly error?: unknown };
    readonly skip?: unknown;
    readonly todo?: unknown;
    readonly summary?: { readonly files: readonly CoveredFile[] };
  };
}

interface CoveredFile {
  readonly path: string;
  readonly lines: readonly { readonly line: number; readonly count: number }[];
}

const VALUE_LENGTH_MAX = 400;
const RESULT = 3;

export default async function* reportTests(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  // A reporter's output would go among what the tests print.
  yield "";
  for await (const { type, data } of events) {
    if (type === "test:coverage") writeCoverage(data.summary?.files ?? []);
    if (type !== "test:pass" && type !== "test:fail") continue;
    // A suite passes and fails with its tests, which are told one by one.
    if (data.details?.type === "suite") continue;
    const error = type === "test:fail" ? data.details?.error : undefined;
    if (isOfSubtests(error)) continue;
    const isSet = data.skip !== undefined && data.skip !== false;
    const isMeantToFail = data.todo !== undefined && data.todo !== false;
    if (isSet || (isMeantToFail && type === "test:fail")) continue;
    const failure = type === "test:fail" ? describe(error) : null;
    writeFileSync(RESULT, `${JSON.stringify({ name: data.name ?? "", line: data.line ?? 0, failure })}\n`);
  }
  writeFileSync(RESULT, '{"end":true}\n');
}

/** Tells the lines of each file that ran. */
function writeCoverage(files: readonly CoveredFile[]): void {
  const covered = files.map(({ path, lines }) => ({
    path,
    lines: lines.filter(({ count }) => count > 0).map(({ line }) => line),
  }));
  writeFileSync(RESULT, `${JSON.stringify({ covered })}\n`);
}

function isOfSubtests(error: unknown): boolean {
  return hasMembers(error) && error["failureType"] === "subtestsFailed";
}

function describe(error: unknown): object {
  const cause = hasMembers(error) && error["cause"] !== undefined ? error["cause"] : error;
  if (!hasMembers(cause)) return { name: "", message: String(cause), stack: "" };
  const hasComparison = "expected" in cause || "actual" in cause;
  return {
    name: textOf(cause["name"]),
    code: textOf(cause["code"]),
    message: textOf(cause["message"]).slice(0, VALUE_LENGTH_MAX * 2),
    stack: textOf(cause["stack"]).slice(0, 8000),
    ...(hasComparison ? { expected: show(cause["expected"]), actual: show(cause["actual"]) } : {}),
  };
}

/** Returns a thrown value's text, "" where it is none. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function show(value: unknown): string {
  const options = { depth: 6, breakLength: Infinity, maxArrayLength: 40, maxStringLength: 300 };
  return inspect(value, { ...options, sorted: true }).slice(0, VALUE_LENGTH_MAX);
}

function hasMembers(value: unknown): value is Record<string, unknown> {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
