import type { StructuredPatchHunk } from "diff";
import { parseDiff } from "./parse-diff.ts";
import type { FilePatch } from "./parse-diff.ts";

/** What a diff makes of files: new texts by path, null for a file that is removed. Or why it does not fit them. */
export type AppliedDiff =
  | { readonly ok: true; readonly files: ReadonlyMap<string, string | null> }
  | { readonly ok: false; readonly path: string; readonly problem: string };

/**
 * Applies a unified diff to texts. Strict: every kept and removed line must stand there verbatim, at the
 * place the hunk names or, where lines were counted wrongly, at the only place in the file that has them. Never
 * throws.
 *
 * @param read - The text of a file before; null where there is none.
 */
export function applyDiff(diff: string, read: (path: string) => string | null): AppliedDiff {
  const parsed = parseDiff(diff);
  if (!parsed.ok) return { ok: false, path: "", problem: parsed.problem };
  const files = new Map<string, string | null>();
  for (const file of parsed.files) {
    const applied = applyToFile(file, read(file.path));
    if (!applied.ok) return { ok: false, path: file.path, problem: applied.problem };
    files.set(file.path, applied.text);
  }
  return { ok: true, files };
}

type AppliedFile =
  | { readonly ok: true; readonly text: string | null }
  | { readonly ok: false; readonly problem: string };

function applyToFile({ action, hunks }: FilePatch, before: string | null): AppliedFile {
  if (action === "add" && before !== null) return { ok: false, problem: "the file to add is there already" };
  if (action !== "add" && before === null) return { ok: false, problem: "there is no such text file" };
  const applied = applyHunks(hunks, splitLines(before ?? ""));
  if (!applied.ok) return applied;
  if (action === "remove" && applied.text !== "") return { ok: false, problem: "a removed file keeps lines" };
  return { ok: true, text: action === "remove" ? null : applied.text };
}

/**
 * Not by the library's `applyPatch`: it takes the nearest of several places, and takes the file's last line break away
 * for a line in the middle that has none.
 */
function applyHunks(hunks: readonly StructuredPatchHunk[], before: readonly string[]): AppliedFile {
  const after: string[] = [];
  let at = 0;
  for (const [index, hunk] of hunks.entries()) {
    const old = linesOf(hunk, "-");
    const place = findPlace({ before, old, from: at, stated: hunk.oldStart - 1 });
    if (typeof place === "string") return { ok: false, problem: `hunk ${index + 1} ${place}` };
    after.push(...before.slice(at, place), ...linesOf(hunk, "+"));
    at = place + old.length;
  }
  after.push(...before.slice(at));
  // Only the last line of a file may lack its line break.
  const isBroken = after.slice(0, -1).some((line) => !line.endsWith("\n"));
  return isBroken
    ? { ok: false, problem: "a line in the middle lost its line break" }
    : { ok: true, text: after.join("") };
}

/** The lines of a hunk before ("-") or after ("+"), with their line breaks. */
function linesOf({ lines }: StructuredPatchHunk, side: "-" | "+"): string[] {
  return lines.flatMap((line, index) => {
    if (line !== "" && !line.startsWith(" ") && !line.startsWith(side)) return [];
    return [`${line.slice(1)}${lines[index + 1]?.startsWith("\\") === true ? "" : "\n"}`];
  });
}

interface Wanted {
  readonly before: readonly string[];
  readonly old: readonly string[];
  readonly from: number;
  /** Index of the hunk's first old line, from its header. */
  readonly stated: number;
}

function findPlace({ before, old, from, stated }: Wanted): number | string {
  const fits = (place: number): boolean =>
    place >= from && old.every((line, offset) => before[place + offset] === line);
  if (old.length === 0) return stated >= from && stated <= before.length ? stated : "lies outside the file";
  if (fits(stated)) return stated;
  const places: number[] = [];
  for (let place = from; place + old.length <= before.length; place += 1) if (fits(place)) places.push(place);
  if (places.length === 1) return places[0] ?? 0;
  return places.length === 0 ? "does not match the file" : "matches the file at several places";
}

/** Lines with their line breaks; nothing for an empty text. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
