import { stripVTControlCharacters } from "node:util";
import { isProjectPath } from "../../checkout/project-path.ts";
import type { FailingTest, FileResult } from "../../trial/report.ts";
import { readFrames } from "../../trial/read-frames.ts";

/** One test as a tool reports it. */
export interface RawTest {
  /** Path as the tool names it; "" where it names none. */
  readonly file: string;
  readonly name: string;
  readonly hasPassed: boolean;
  /** From 1; 0 where the tool does not say. */
  readonly line: number;
  /** What was said about the failure, stack included; "" where it passed. */
  readonly text: string;
  /** The part of the result that the tool reports beside its text. Absent: it is read from the text. */
  readonly details?: Pick<FailingTest, "kind" | "expected" | "actual"> & { readonly stack: string };
}

const MESSAGE_LENGTH_MAX = 600;
const VALUE_LENGTH_MAX = 400;
const COMPARISON = /assert|expect|want|not equal|to be|to equal|==|!=/i;
const EXPECTED = /^\s*(?:-\s*)?expected:?\s+(.+)$/im;
const RECEIVED = /^\s*(?:\+\s*)?(?:received|actual|got):?\s+(.+)$/im;
/** pytest's `assert 2 == 3`, and Vitest's `expected 2 to be 3`. */
const COMPARED: readonly RegExp[] = [
  /assert (?<actual>.+?) (?:==|is) (?<expected>.+?)(?:\n|$)/,
  /expected (?<actual>.+?) to (?:be|equal|deeply equal|strictly equal) (?<expected>.+?)(?: \/\/.*)?(?:\n|$)/,
];

/**
 * Sorts tests by their files, in one shape for all tools.
 *
 * @param folder - Folder of the copy, as the tests saw it.
 * @param files - Test files that were to run: those without a test did not load.
 * @param said - What the tool printed, for files that did not load.
 */
export function toFileResults(
  tests: readonly RawTest[],
  {
    folder,
    files,
    said,
  }: { readonly folder: string; readonly files: readonly string[]; readonly said: string },
): FileResult[] {
  const named = tests.map((test) => ({ ...test, file: inProject(test.file, folder, files) }));
  const all = [...new Set([...files, ...named.map(({ file }) => file)])];
  return all.map((file) => {
    const own = named.filter((test) => test.file === file);
    const failing = own.filter(({ hasPassed }) => !hasPassed).map((test) => toFailing(test, folder));
    if (own.length > 0) return { file, passed: own.length - failing.length, failing, isLoaded: true };
    return { file, passed: 0, failing: [didNotLoad(file, said, folder)], isLoaded: false };
  });
}

function inProject(file: string, folder: string, files: readonly string[]): string {
  const path = file.replace(/^\.\//, "").replace(`${folder}/`, "");
  if (isProjectPath(path) && !path.startsWith("/")) return path;
  return files[0] ?? "tests";
}

function toFailing({ file, name, line, text, details }: RawTest, folder: string): FailingTest {
  const message = clean(text, folder);
  const { kind, expected, actual } = details ?? { kind: kindOf(message), ...readValues(text) };
  const frames = readFrames(details?.stack ?? text, folder);
  return {
    file,
    name: name.slice(0, 300),
    kind,
    line: line > 0 ? line : (frames.find(({ path }) => path === file)?.line ?? 0),
    message: message.slice(0, MESSAGE_LENGTH_MAX),
    expected: cutValue(expected, folder),
    actual: cutValue(actual, folder),
    frames,
  };
}

function kindOf(message: string): "assertion" | "exception" {
  return COMPARISON.test(message) ? "assertion" : "exception";
}

function cutValue(value: string | null, folder: string): string | null {
  return value === null ? null : value.trim().replaceAll(folder, ".").slice(0, VALUE_LENGTH_MAX);
}

function readValues(text: string): Pick<FailingTest, "expected" | "actual"> {
  const groups = COMPARED.map((pattern) => pattern.exec(text)?.groups).find((one) => one !== undefined);
  const expected = EXPECTED.exec(text)?.[1] ?? groups?.["expected"];
  const actual = RECEIVED.exec(text)?.[1] ?? groups?.["actual"];
  return { expected: expected ?? null, actual: actual ?? null };
}

/** Returns a failure without values and places. */
export function bareFailure(file: string, kind: FailingTest["kind"], message: string): FailingTest {
  const text = message.slice(0, MESSAGE_LENGTH_MAX);
  return { file, name: "", kind, line: 0, message: text, expected: null, actual: null, frames: [] };
}

function didNotLoad(file: string, said: string, folder: string): FailingTest {
  const line = said.split("\n").find((each) => /\w*Error(?: \[\w+\])?: |cannot |fatal/.test(each));
  const message = clean(line ?? said.trim().slice(-MESSAGE_LENGTH_MAX), folder);
  const failure = bareFailure(file, "load", message === "" ? "No test ran." : message);
  return { ...failure, frames: readFrames(said, folder) };
}

/** Removes the folder of the copy and the durations, which differ each time, colours, and the tool's own stack. */
function clean(text: string, folder: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(/^\s+at .*node_modules.*\n?/gm, "")
    .replaceAll(`file://${folder}/`, "")
    .replaceAll(`${folder}/`, "")
    .replaceAll(folder, ".")
    .replaceAll(/\b\d+(?:\.\d+)?\s?m?s\b/g, "")
    .replaceAll(/0x[0-9a-f]{6,}/g, "0x")
    .trim();
}
