import { createHash } from "node:crypto";
import { applyPatch, parsePatch } from "diff";
import type { StructuredPatch } from "diff";
import {
  isHistory,
  isProjectPath,
  isDependency,
  isSetting,
  belongsToTests,
  isUnder,
} from "../checkout/project-path.ts";
import { readText } from "../checkout/checkout-files.ts";

interface FilePatch {
  readonly path: string;
  readonly action: "change" | "add" | "remove";
  readonly patch: StructuredPatch;
}

type ParsedDiff =
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

/** Reads a unified diff strictly, within the project; refuses links, binaries, modes and renames. Never throws. */
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
  for (const start of hunks.flatMap(({ oldStart, newStart }) => [oldStart, newStart]))
    if (!Number.isInteger(start) || start > LINE_NUMBER_MAX)
      refuse("a hunk's header is of the form @@ -1,2 +1,2 @@");
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

/** New texts by path, null for a file that is removed; or why the diff does not fit. */
type AppliedDiff =
  | { readonly ok: true; readonly files: ReadonlyMap<string, string | null> }
  | { readonly ok: false; readonly path: string; readonly problem: string };

/** Applies a unified diff, verbatim at its place or nearest. Never throws. @param read - A file's text, or null. */
export function applyDiff(diff: string, read: (path: string) => string | null): AppliedDiff {
  const parsed = parseDiff(diff);
  if (!parsed.ok) return { ok: false, path: "", problem: parsed.problem };
  const files = new Map<string, string | null>();
  for (const file of parsed.files) {
    const before = read(file.path);
    const problem = problemOf(file, before);
    const text = applyPatch(before ?? "", file.patch, { autoConvertLineEndings: false });
    if (problem !== null || text === false)
      return { ok: false, path: file.path, problem: problem ?? "a hunk does not match the file" };
    if (file.action === "remove" && text !== "")
      return { ok: false, path: file.path, problem: "a removed file keeps lines" };
    files.set(file.path, file.action === "remove" ? null : text);
  }
  return { ok: true, files };
}

function problemOf({ action }: FilePatch, before: string | null): string | null {
  if (action === "add" && before !== null) return "the file to add is there already";
  return action !== "add" && before === null ? "there is no such text file" : null;
}

/** Reads the files that a diff names below a folder, null where there is none, and what the diff makes of them. */
export async function readPatched(
  root: string,
  diff: string,
): Promise<{ readonly before: ReadonlyMap<string, string | null>; readonly applied: AppliedDiff }> {
  const parsed = parseDiff(diff);
  const before = new Map<string, string | null>();
  for (const { path } of parsed.ok ? parsed.files : []) before.set(path, await readText({ root, path }));
  return { before, applied: applyDiff(diff, (path) => before.get(path) ?? null) };
}

/** The first 16 digits of a diff's SHA-256, by which the same diff is known again. */
export function digestDiff(diff: string): string {
  return createHash("sha256").update(diff.trimEnd()).digest("hex").slice(0, 16);
}

/** Paths that a task allows to be changed. */
export interface Allowed {
  /** Files and folders that may be changed; empty means all but tests, settings and dependencies. */
  readonly editable: readonly string[];
  /** The tests that judge, besides what is named like one. */
  readonly tests: readonly string[];
}

interface RefusedPath {
  readonly path: string;
  readonly reason: "changes_tests" | "not_editable" | "settings" | "dependency" | "outside";
}

/** The paths of a diff that its task does not allow to be changed. A diff that cannot be read has none. */
export function refusePaths(diff: string, allowed: Allowed): RefusedPath[] {
  const parsed = parseDiff(diff);
  if (!parsed.ok) return [];
  return parsed.files.flatMap(({ path }) => {
    const reason = refusalOf(path, allowed);
    return reason === null ? [] : [{ path, reason }];
  });
}

function refusalOf(path: string, { editable, tests }: Allowed): RefusedPath["reason"] | null {
  if (!isProjectPath(path) || isHistory(path)) return "outside";
  if (isDependency(path)) return "dependency";
  if (belongsToTests(path) || isUnder(path, tests)) return "changes_tests";
  // Settings decide how tests are run: only a task that names them allows a change.
  if (isSetting(path) && !editable.includes(path)) return "settings";
  return editable.length > 0 && !isUnder(path, editable) ? "not_editable" : null;
}
