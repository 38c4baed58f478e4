import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";

/** Names that one door of a room may export. */
const EXPORTS_MAX = 40;

const EXPORT = /^export (?:type )?\{([^}]*)\}/gm;

/** What each door exports, in order of name. A door re-exports by name: nothing is declared in it, nothing is `*`. */
function readDoors(): Map<string, readonly string[]> {
  const doors = globSync("shared/**/index.ts").toSorted();
  return new Map(doors.map((path) => [dirname(path).replaceAll("\\", "/"), namesIn(path)]));
}

function namesIn(path: string): readonly string[] {
  const text = readFileSync(path, "utf8");
  expect(text, `${path} exports by name alone`).not.toMatch(/^export (?!\{|type \{)/m);
  return [...text.matchAll(EXPORT)]
    .flatMap(([, names = ""]) => names.split(",").map((name) => name.trim()))
    .filter((name) => name !== "")
    .map((name) => name.split(" as ").at(-1) ?? name)
    .toSorted();
}

describe("what rooms export", () => {
  const doors = readDoors();

  it.each([...doors])("is no more than 40 names at %s", (door, names) => {
    expect(names.length, door).toBeLessThanOrEqual(EXPORTS_MAX);
  });

  it("is what the golden file says: `npx vitest run infra/tidy -u` writes it anew, for the review to see", async () => {
    const listing = [...doors]
      .map(([door, names]) => `${door} ${names.length}\n  ${names.join("\n  ")}\n`)
      .join("\n");
    await expect(listing).toMatchFileSnapshot("room-exports.golden.txt");
  });
});
