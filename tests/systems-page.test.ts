import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** A page that promises a pattern which nobody can find or run is worse than none. */

const ROWS = [
  ...Array.from({ length: 27 }, (_, n) => `P${n + 1}`),
  ...Array.from({ length: 6 }, (_, n) => `T${n + 1}`),
];

interface Row {
  readonly id: string;
  /** Paths from the page's folder. */
  readonly heldBy: readonly string[];
  readonly test: string;
  readonly testName: string;
  readonly command: string;
}

const COMPARED = "## Compared with the source documents";

function readRows(page: string): Row[] {
  return page
    .slice(0, page.indexOf(COMPARED))
    .split("\n")
    .filter((line) => /^\| [PT]\d+ \|/.test(line))
    .map((line) => {
      const [, id = "", what = "", heldBy = "", shown = "", command = ""] = line
        .split(" | ")
        .map((cell) => cell.replaceAll(/^\| | \|$/g, ""))
        .toSpliced(0, 0, "");
      const links = (cell: string): string[] =>
        [...cell.matchAll(/\]\(([^)]+)\)/g)].map(([, path = ""]) => path);
      return {
        id,
        heldBy: [...links(what), ...links(heldBy)],
        test: links(shown)[0] ?? "",
        testName: /“([^”]+)”/.exec(shown)?.[1] ?? "",
        command: command.replaceAll("`", ""),
      };
    });
}

it("names for every pattern and team what holds it, the test that shows it and the command that runs it", () => {
  const rows = readRows(readFileSync("docs/systems.md", "utf8"));
  expect(rows.map(({ id }) => id)).toEqual(ROWS);
  for (const { id, heldBy, test, testName, command } of rows) {
    expect(heldBy.length, id).toBeGreaterThan(0);
    for (const path of [...heldBy, test]) expect(existsSync(join("docs", path)), `${id}: ${path}`).toBe(true);
    expect(testName, id).not.toBe("");
    // The title of a test, and not a word somewhere in the file.
    expect(readFileSync(join("docs", test), "utf8"), `${id}: ${testName}`).toMatch(titleOf(testName));
    expect(command, id).toMatch(/^np[mx] /);
    const [, folders] = /^npx vitest run (.+)$/.exec(command) ?? [];
    if (folders === undefined) expect(isKnown(command), `${id}: ${command}`).toBe(true);
    for (const path of folders?.split(" ") ?? []) expect(existsSync(path), `${id}: ${path}`).toBe(true);
  }
});

/** Matches a string literal that holds the title of a test. */
function titleOf(name: string): RegExp {
  return new RegExp(`["'\`][^"'\`\n]*${name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}`);
}

/** Returns true for a script of the package, or a command that the reference lists. */
function isKnown(command: string): boolean {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  const commands = [
    ...readFileSync("docs/reference/commands.md", "utf8").matchAll(/^## (suture [a-z -]*[a-z])/gm),
  ].map(([, name = ""]) => `npx ${name}`);
  return [...commands, ...Object.keys(scripts).map((name) => `npm run ${name}`)].some(
    (known) => command === known || command.startsWith(`${known} `),
  );
}

/** Numbers of the source documents. */
const DOCUMENT = /^00[0-4](?:, 00[0-4])*: /;
/** Too short to say anything. */
const CHARACTERS_MIN = 25;

it("says for every pattern and team what it is in the source documents, where ours is thinner, and why", () => {
  const page = readFileSync("docs/systems.md", "utf8");
  const rows = page
    .slice(page.indexOf(COMPARED))
    .split("\n")
    .filter((line) => /^\| [PT]\d+ \|/.test(line))
    .map((line) => line.slice(2, -2).split(" | "));
  expect(rows.map(([id]) => id)).toEqual(ROWS);
  for (const [id = "", source = "", ...ours] of rows) {
    expect(source, id).toMatch(DOCUMENT);
    expect(ours.length, id).toBe(2);
    for (const cell of ours) expect(cell.length, `${id}: ${cell}`).toBeGreaterThanOrEqual(CHARACTERS_MIN);
  }
});
