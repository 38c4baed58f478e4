import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** A page that names a test which is not there claims a protection that nobody has tried. */

const PAGE = readFileSync("SECURITY.md", "utf8");
const numbered = (prefix: string, count: number, digits: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}${String(n + 1).padStart(digits, "0")}`);
const IDS = [...numbered("LLM", 10, 2), ...numbered("T", 17, 1), ...numbered("S", 6, 1)];

interface Row {
  readonly id: string;
  readonly text: string;
}

const rows: readonly Row[] = PAGE.split("\n").flatMap((line) => {
  const id = /^\| ((?:LLM|T|S)\d+) \|/.exec(line)?.[1];
  return id === undefined ? [] : [{ id, text: line }];
});

it("has a row for every threat of both lists, and for every attack on an arrangement", () => {
  expect(rows.map(({ id }) => id)).toEqual(IDS);
});

it("shows for each a test that is there by that name, or says that it is not covered", () => {
  for (const { id, text } of rows) {
    const named = [...text.matchAll(/\]\(([^)]+\.test\.ts)\): “([^”]+)”/g)];
    expect(named.length > 0 || text.includes("not covered:"), id).toBe(true);
    // A link to a test without a name would not be held to anything.
    expect(named.length, id).toBe([...text.matchAll(/\]\([^)]+\.test\.ts\)/g)].length);
    for (const [, path = "", name = ""] of named)
      expect(readFileSync(path, "utf8"), `${id}: ${path} has no “${name}”`).toContain(name);
  }
});

it("leads to files that are there", () => {
  for (const [, path = ""] of PAGE.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g))
    expect(existsSync(path), path).toBe(true);
});
