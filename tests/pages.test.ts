import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { CONSOLE_API, describeApi, GATEWAY_API } from "#shared/api";
import { ATTRIBUTES } from "#shared/telemetry";
import { readErrors } from "./reference/read-errors.ts";

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

describe("the page about patterns and teams", () => {
  /** A page that promises a pattern which nobody can find or run is worse than none. */

  const ROWS = [
    ...Array.from({ length: 27 }, (_, n) => `P${n + 1}`),
    ...Array.from({ length: 6 }, (_, n) => `T${n + 1}`),
  ];

  interface SystemRow {
    readonly id: string;
    /** Paths from the page's folder. */
    readonly heldBy: readonly string[];
    readonly test: string;
    readonly testName: string;
    readonly command: string;
  }

  const COMPARED = "## Compared with the source documents";

  function readRows(page: string): SystemRow[] {
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
    const systemRows = readRows(readFileSync("docs/systems.md", "utf8"));
    expect(systemRows.map(({ id }) => id)).toEqual(ROWS);
    for (const { id, heldBy, test: path, testName, command } of systemRows) {
      expect(heldBy.length, id).toBeGreaterThan(0);
      for (const one of [...heldBy, path]) expect(existsSync(join("docs", one)), `${id}: ${one}`).toBe(true);
      expect(testName, id).not.toBe("");
      // The title of a test, and not a word somewhere in the file.
      expect(readFileSync(join("docs", path), "utf8"), `${id}: ${testName}`).toMatch(titleOf(testName));
      expect(command, id).toMatch(/^np[mx] /);
      const [, folders] = /^npx vitest run (.+)$/.exec(command) ?? [];
      if (folders === undefined) expect(isKnown(command), `${id}: ${command}`).toBe(true);
      for (const one of folders?.split(" ") ?? []) expect(existsSync(one), `${id}: ${one}`).toBe(true);
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

  const DOCUMENT = /^00[0-4](?:, 00[0-4])*: /;
  const CHARACTERS_MIN = 25;

  it("says for every pattern and team what it is in the source documents, where ours is thinner, and why", () => {
    const page = readFileSync("docs/systems.md", "utf8");
    const systemRows = page
      .slice(page.indexOf(COMPARED))
      .split("\n")
      .filter((line) => /^\| [PT]\d+ \|/.test(line))
      .map((line) => line.slice(2, -2).split(" | "));
    expect(systemRows.map(([id]) => id)).toEqual(ROWS);
    for (const [id = "", source = "", ...ours] of systemRows) {
      expect(source, id).toMatch(DOCUMENT);
      expect(ours.length, id).toBe(2);
      for (const cell of ours) expect(cell.length, `${id}: ${cell}`).toBeGreaterThanOrEqual(CHARACTERS_MIN);
    }
  });
});

/** Traces and logs are searched by the names on this page; metrics are those of the generated reference. */

const page = readFileSync("docs/operating/telemetry.md", "utf8");
const code = globSync(["shared/**/*.ts", "services/**/*.ts"])
  .filter((file) => !file.endsWith(".test.ts"))
  .map((file) => readFileSync(file, "utf8"))
  .join("\n");

function rowsOf(section: string): string[][] {
  const text = page.split(`\n## ${section}\n`)[1]?.split("\n## ")[0] ?? "";
  return [...text.matchAll(/^\| (`.+) \|$/gm)].map(([, row = ""]) =>
    row.split("|").map((cell) => cell.trim()),
  );
}

const namesIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);

describe("the page about telemetry", () => {
  it("lists every span attribute, and no other", () => {
    const listed = rowsOf("Traces").flatMap(([name = ""]) => namesIn(name));
    expect(listed.toSorted()).toEqual(Object.values(ATTRIBUTES).toSorted());
  });

  it("knows no attribute that no span has", () => {
    for (const name of Object.keys(ATTRIBUTES)) expect(code).toContain(`ATTRIBUTES.${name}`);
  });

  it("quotes lines of the log that the code writes", () => {
    const lines = rowsOf("Logs").map(([line = ""]) => namesIn(line)[0] ?? "");
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(code).toContain(`"${line}"`);
  });
});

const declared = Object.entries({ ...GATEWAY_API, ...CONSOLE_API });

test("every problem that an operation declares is the code of an error", () => {
  const codes = new Set(readErrors().map(({ code: word }) => word.toLowerCase()));
  const unknown = declared.flatMap(([id, operation]) =>
    ("problems" in operation ? operation.problems : [])
      .filter((word) => !codes.has(word))
      .map((word) => `${id}: ${word}`),
  );
  expect(unknown).toEqual([]);
});

test("the description has every operation once, with its answers, and refers to nothing that it lacks", () => {
  const document = describeApi();
  const described = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(described).toHaveLength(declared.length);
  expect(new Set(described.map(({ operationId }) => operationId))).toEqual(
    new Set(declared.map(([id]) => id)),
  );
  const refs = JSON.stringify(document).match(/"\$ref":"[^"]*"/g) ?? [];
  expect([...new Set(refs)].toSorted()).toEqual([
    '"$ref":"#/components/schemas/Problem"',
    '"$ref":"#/components/schemas/RunEvent"',
  ]);
});
