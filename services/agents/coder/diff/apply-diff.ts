import { applyPatch } from "diff";
import { createHash } from "node:crypto";
import { parseDiff } from "./parse-diff.ts";
import type { FilePatch } from "./parse-diff.ts";
import { readText } from "../checkout/search-text.ts";

/** What a diff makes of files: new texts by path, null for a file that is removed. Or why it does not fit them. */
type AppliedDiff =
  | { readonly ok: true; readonly files: ReadonlyMap<string, string | null> }
  | { readonly ok: false; readonly path: string; readonly problem: string };

/**
 * Applies a unified diff to texts. Every kept and removed line must stand there verbatim, at the place that the hunk
 * names or, where lines were counted wrongly, at the nearest. Never throws.
 *
 * @param read - The text of a file before; null where there is none.
 */
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
