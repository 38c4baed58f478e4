import { parsePatch } from "diff";
import type { StructuredPatch } from "diff";
import { isHistory, isProjectPath } from "../checkout/project-path.ts";

/** Changes of one file in a diff. */
export interface FilePatch {
  readonly path: string;
  readonly action: "change" | "add" | "remove";
  readonly patch: StructuredPatch;
}

/** What a text is as a diff, or why it is none. */
export type ParsedDiff =
  | { readonly ok: true; readonly files: readonly FilePatch[] }
  | { readonly ok: false; readonly problem: string };

const LINE_NUMBER_MAX = 9_999_999;
const IGNORED =
  /^(?:diff --git |index [0-9a-f]+\.\.[0-9a-f]+(?: 100644| 100755)?$|new file mode 100644$|deleted file mode 100\d{3}$)/;
const REFUSED: readonly (readonly [RegExp, string])[] = [
  [/^(?:GIT binary patch|Binary files )/, "binary changes are refused"],
  [/^(?:new|deleted) file mode (?:120000|160000)|^index .* (?:120000|160000)$/, "links are refused"],
  [/^(?:old|new) mode |^new file mode /, "changes of a file's mode are refused"],
  [
    /^(?:rename|copy) (?:from|to) |^(?:dis)?similarity index /,
    "renames are refused: remove one file and add the other",
  ],
];

/** Leaves the reader; never leaves this file. */
class UnreadableDiff extends Error {}

/**
 * Reads a unified diff, strictly: `--- a/path`, `+++ b/path` and hunks whose counts are right, with what git writes
 * around them. Paths lie inside the project; links, binaries, modes and renames are refused. Never throws.
 */
export function parseDiff(text: string): ParsedDiff {
  try {
    checkOutside(text);
    const files = parsePatch(text).map(readFile);
    if (files.length === 0) refuse("the diff changes no file");
    if (new Set(files.map(({ path }) => path)).size < files.length)
      refuse("a file is changed in two places: write its hunks together");
    checkAllRead(text, files);
    return { ok: true, files };
  } catch (error) {
    // The library throws a plain Error for what it cannot read; anything else is a bug.
    if (!(error instanceof UnreadableDiff) && Object.getPrototypeOf(error) !== Error.prototype) throw error;
    return { ok: false, problem: error instanceof Error ? error.message : "" };
  }
}

function refuse(problem: string): never {
  throw new UnreadableDiff(problem);
}

/** Refuses lines that the library ignores, such as prose and git's modes. */
function checkOutside(text: string): void {
  for (const [index, line] of text.split("\n").entries()) {
    if (/^(?:[-+ \\@]|$)/.test(line) || IGNORED.test(line)) continue;
    const known = REFUSED.find(([pattern]) => pattern.test(line));
    refuse(`line ${index + 1} is ${known?.[1] ?? "neither a header nor part of a hunk"}`);
  }
}

/** Refuses a diff with more lines of a change than its hunks apply. */
function checkAllRead(text: string, files: readonly FilePatch[]): void {
  const isPart = (line: string): boolean => /^[-+ \\@]/.test(line);
  const read = files.map(({ patch: { hunks } }) =>
    hunks.reduce((sum, { lines }) => sum + 1 + lines.filter(isPart).length, 2),
  );
  const written = text.split("\n").filter(isPart).length;
  if (read.reduce((sum, count) => sum + count, 0) !== written)
    refuse("a hunk has other lines than its header says");
}

function readFile(patch: StructuredPatch): FilePatch {
  const { hunks, oldHeader, newHeader } = patch;
  if (oldHeader === undefined || newHeader === undefined) refuse("a file needs lines with --- and +++");
  const from = readPath(patch.oldFileName ?? "", "a/");
  const to = readPath(patch.newFileName ?? "", "b/");
  if (from !== null && to !== null && from !== to) refuse("renames are refused");
  const path = from ?? to ?? refuse("neither file is named");
  if (hunks.length === 0) refuse("a file without hunks");
  for (const { oldStart, newStart } of hunks) checkStarts(oldStart, newStart);
  return { path, action: from === null ? "add" : to === null ? "remove" : "change", patch };
}

/** The path a header names; null for /dev/null. */
function readPath(written: string, side: string): string | null {
  if (written === "/dev/null") return null;
  const path = written.startsWith(side) ? written.slice(side.length) : written;
  if (!isProjectPath(path)) refuse("the path does not lie inside the project");
  if (isHistory(path)) refuse("the project's history is not to be changed");
  return path;
}

function checkStarts(...starts: readonly number[]): void {
  for (const start of starts)
    if (!Number.isInteger(start) || start > LINE_NUMBER_MAX)
      refuse("a hunk's header is of the form @@ -1,2 +1,2 @@");
}
