import { z } from "zod";
import type { RawTest } from "./raw-test.ts";

/** One line of `go test -json`. */
const event = z.object({
  Action: z.string(),
  Package: z.string().default(""),
  Test: z.string().optional(),
  Output: z.string().optional(),
});

const PLACE = /^\s*([\w.-]+_test\.go):(\d+):/m;

/**
 * Reads the events of `go test -json`. A test with subtests counts by its subtests. A failing package none of whose
 * tests failed did not build, or ended early: its tests are missing.
 *
 * @param moduleName - As `go.mod` names it, so that a package gives a folder.
 * @param files - Test files of the run. Go names packages and not files: tests belong to the first of their folder.
 */
export function readGo(
  text: string,
  { moduleName, files }: { moduleName: string; files: readonly string[] },
): RawTest[] {
  const output = new Map<string, string>();
  const ends: { key: string; folder: string; name: string; hasPassed: boolean }[] = [];
  for (const line of text.split("\n")) {
    const parsed = event.safeParse(parse(line));
    if (!parsed.success || parsed.data.Test === undefined) continue;
    const { Action, Package, Test, Output = "" } = parsed.data;
    const key = `${Package} ${Test}`;
    if (Action === "output") output.set(key, (output.get(key) ?? "") + Output);
    if (Action !== "pass" && Action !== "fail") continue;
    const folder = Package === moduleName ? "" : `${Package.slice(moduleName.length + 1)}/`;
    ends.push({ key, folder, name: Test, hasPassed: Action === "pass" });
  }
  const leaves = ends.filter(({ key }) => !ends.some((other) => other.key.startsWith(`${key}/`)));
  return leaves.map(({ key, folder, name, hasPassed }) => {
    const said = output.get(key) ?? "";
    const place = PLACE.exec(said);
    const file = firstTestIn(folder, files);
    return {
      file: file ?? "",
      name,
      hasPassed,
      line: Number(place?.[2] ?? 0),
      text: hasPassed ? "" : inFolder(said, folder),
    };
  });
}

/** Returns the first test file of a package's folder, which ends with a slash. */
export function firstTestIn(folder: string, files: readonly string[]): string | undefined {
  return files.find((file) => file.startsWith(folder) && !file.slice(folder.length).includes("/"));
}

/** Go names files within their package. */
function inFolder(said: string, folder: string): string {
  return said.replaceAll(/^(\s*)([\w.-]+\.go:\d+:)/gm, `$1${folder}$2`);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
