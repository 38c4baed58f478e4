import { stripVTControlCharacters } from "node:util";
import { isProjectPath } from "../../checkout/project-path.ts";
import type { FailingTest, FileResult, Frame } from "../../trial/report.ts";

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
}

const MESSAGE_LENGTH_MAX = 600;
const FRAMES_MAX = 12;
/** `at name (path:3:1)`, or `path:3`. */
const PLACE = /(?:^|[\s(])(?:file:\/\/)?([^\s():"]{1,400}\.\w{1,4}):(\d{1,7})(?::\d{1,7})?/gm;

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
    // The line that names the error: others hold times of day.
    const line = said.split("\n").find((each) => /\w*Error(?: \[\w+\])?: |cannot |fatal/.test(each));
    const message = clean(line ?? said.slice(-MESSAGE_LENGTH_MAX), folder) || "No test ran.";
    const failure = { ...bareFailure(file, message), frames: readFrames(said, folder) };
    return { file, passed: 0, failing: [failure], isLoaded: false };
  });
}

function inProject(file: string, folder: string, files: readonly string[]): string {
  const path = file.replace(/^\.\//, "").replace(`${folder}/`, "");
  return isProjectPath(path) ? path : (files[0] ?? "tests");
}

function toFailing({ file, name, line, text }: RawTest, folder: string): FailingTest {
  const frames = readFrames(text, folder);
  const failure = bareFailure(file, clean(text, folder));
  const found = line > 0 ? line : (frames.find(({ path }) => path === file)?.line ?? 0);
  return { ...failure, name: name.slice(0, 300), line: found, frames };
}

/** Returns a failure of a whole file, without a name and places. */
export function bareFailure(file: string, message: string): FailingTest {
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

/** Removes the folder of the copy and the durations, which differ each time, colours, and the tool's own stack. */
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
