import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { roomOf } from "./rules/imports.ts";
import type { Finding } from "./source-file.ts";

/** Lines of source by room, lines of all tests and their support, and the number of files. */
export type Counts = ReadonlyMap<string, number>;

const FILE = "infra/tidy/ceilings.txt";
const COMMAND = "npm run -s tidy -- --ceilings";
const CODE = /\.(?:ts|tsx|mts|cts|js|mjs|cjs|lua)$/;
const TEST = /\.test\.tsx?$|^tests\/|(?:^|\/)(?:samples|testing)\//;
/** Maximum distance of a ceiling from what stands: a share of it, and at least some lines for small rooms. */
const SLACK_SHARE = 0.03;
const SLACK_MIN = 10;

/** Counts what Git knows of, and what it would take on: nothing that is built or installed. */
export function countProject(root: string): Counts {
  const listing = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const paths = listing.split("\0").filter((path) => path !== "" && existsSync(join(root, path)));
  return countLines(new Set(paths), (path) => readFileSync(join(root, path), "utf8"));
}

/** Counts lines as `wc -l` does. */
export function countLines(paths: ReadonlySet<string>, read: (path: string) => string): Counts {
  const counts = new Map([
    ["files", paths.size],
    ["tests", 0],
  ]);
  for (const path of paths) {
    if (!CODE.test(path)) continue;
    const name = TEST.test(path) ? "tests" : (roomOf(path) ?? path.split("/").slice(0, -1)[0] ?? "root");
    counts.set(name, (counts.get(name) ?? 0) + read(path).split("\n").length - 1);
  }
  return counts;
}

/** Ceilings as the file has them, a name and a number a line. Without the file there are none. */
export function readCeilings(root: string): Counts {
  const text = existsSync(join(root, FILE)) ? readFileSync(join(root, FILE), "utf8") : "";
  return new Map(
    [...text.matchAll(/^(\S+) (\d+)$/gm)].map(([, name = "", ceiling]) => [name, Number(ceiling)]),
  );
}

/** Finds rooms over their ceilings, and ceilings so high that they hold nothing. */
export function checkCeilings(counts: Counts, ceilings: Counts): Finding[] {
  const names = [...new Set([...counts.keys(), ...ceilings.keys()])].toSorted();
  return names.flatMap((name) => {
    const problem = problemOf(name, counts.get(name) ?? 0, ceilings.get(name));
    return problem === null ? [] : [{ path: FILE, line: 0, message: `${name}: ${problem}` }];
  });
}

function problemOf(name: string, count: number, ceiling: number | undefined): string | null {
  const what = `${count} ${name === "files" ? "files" : "lines"}`;
  if (ceiling === undefined) return `${what} and no ceiling: run \`${COMMAND}\` and look at it`;
  const raised = "a ceiling is raised by hand, with the reason in the commit";
  if (count > ceiling) return `${what}, over its ceiling of ${ceiling}: delete what nobody uses; ${raised}`;
  const isTight = count > 0 && ceiling <= count + Math.max(SLACK_MIN, count * SLACK_SHARE);
  return isTight ? null : `${what}, 3 % or more below its ceiling of ${ceiling}: \`${COMMAND}\` lowers it`;
}

/** Lowers each ceiling to what stands, and never raises one; new rooms get theirs, and those that are gone lose it. */
export function lowerCeilings(counts: Counts, ceilings: Counts): Counts {
  const names = [...counts.keys()].toSorted();
  return new Map(
    names.map((name) => [name, Math.min(counts.get(name) ?? 0, ceilings.get(name) ?? Infinity)]),
  );
}

export function writeCeilings(root: string, ceilings: Counts): void {
  const lines = [...ceilings].map(([name, ceiling]) => `${name} ${ceiling}\n`);
  writeFileSync(join(root, FILE), lines.join(""));
}
