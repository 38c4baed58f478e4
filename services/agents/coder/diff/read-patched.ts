import { readText } from "../checkout/read-text.ts";
import { applyDiff } from "./apply-diff.ts";
import type { AppliedDiff } from "./apply-diff.ts";
import { parseDiff } from "./parse-diff.ts";

/** Reads the files that a diff names below a folder, null where there is none, and what the diff makes of them. */
export async function readPatched(
  root: string,
  diff: string,
  bytesMax: number,
): Promise<{ readonly before: ReadonlyMap<string, string | null>; readonly applied: AppliedDiff }> {
  const parsed = parseDiff(diff);
  const before = new Map<string, string | null>();
  for (const { path } of parsed.ok ? parsed.files : [])
    before.set(path, await readText({ root, path, bytesMax }));
  return { before, applied: applyDiff(diff, (path) => before.get(path) ?? null) };
}
