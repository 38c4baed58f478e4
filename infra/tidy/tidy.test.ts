import { globSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { checkCeilings, countLines, lowerCeilings } from "./ceilings.ts";
import { createSourceFile, maskCode } from "./source-file.ts";
import { RULES } from "./rules.ts";
import { importsOf } from "./rules/imports.ts";

/** Findings of the rules in these files, by path, without what they say of absent doors and READMEs. */
function findingsIn(files: Readonly<Record<string, string>>): string[] {
  const sources = Object.entries(files).map(([path, text]) => createSourceFile(path, text));
  return RULES.flatMap((rule) => rule(sources))
    .filter(({ path }) => Object.hasOwn(files, path))
    .map(({ path, line, message }) => `${path}:${line} ${message}`);
}

describe("tidy refuses", () => {
  it.each([
    ["a long comment", "shared/store/keys.ts", `// ${"word ".repeat(25)}`],
    ["a name that says nothing", "shared/store/redis-utils.ts", ""],
    ["a folder that says nothing", "shared/store/helpers/keys.ts", ""],
    ["a class that says nothing", "shared/store/keys.ts", "export class QueueManager {}"],
    ["a focused test", "shared/store/keys.test.ts", "it.only('x', () => {});"],
    ["a skipped test", "shared/store/keys.test.ts", "describe.skip('x', () => {});"],
    ["a silenced finding", "shared/store/keys.ts", ["// @ts-", "ignore"].join("")],
    ["a path of one machine", "docs/guide.md", ["cd /ho", "me/ada/suture"].join("")],
    ["time read outside the clock", "shared/store/keys.ts", "const a = Date.now();"],
    ["randomness outside the clock", "shared/store/keys.ts", "const a = `x${Math.random()}`;"],
    ["a cast without a reason", "shared/store/keys.ts", "const a = 1;\nconst b = 2;\nconst c = a as string;"],
    ["an import of a higher rung", "shared/store/keys.ts", 'import { a } from "#shared/runtime";'],
    [
      "an import of an equal rung",
      "shared/config/load-config.ts",
      'import type { A } from "#shared/telemetry";',
    ],
    ["a dynamic import of a higher rung", "shared/store/keys.ts", 'await import("#shared/ward");'],
    ["an import of a room nobody knows", "shared/store/keys.ts", 'import "#shared/nowhere";'],
    ["a window instead of the door", "shared/store/keys.ts", 'import { a } from "../clock/clock.ts";'],
    [
      "a service that imports another",
      "services/gateway/main.ts",
      'import { a } from "../surgeon/ladder.ts";',
    ],
    [
      "a team that imports another",
      "services/agents/coder/team.ts",
      'import { a } from "../support/team.ts";',
    ],
    ["testing in what is no test", "shared/store/keys.ts", 'import { a } from "#shared/testing";'],
    ["Redis outside the store", "services/gateway/main.ts", 'import { Redis } from "ioredis";'],
    ["a provider outside the model", "services/surgeon/main.ts", 'import OpenAI from "openai";'],
    ["hosts in the lockfile", "package-lock.json", '{"packages":{"a":{"resolved": "https://npm.example"}}}'],
    [
      "a lockfile that npm ci would refuse",
      "package-lock.json",
      '{"packages":{"node_modules/x":{"optionalDependencies":{"@x/darwin-arm64":"1.0.0"}}}}',
    ],
  ])("%s", (_what, path, text) => {
    expect(findingsIn({ [path]: text })).toHaveLength(1);
  });

  it("a room without a README, and a room of the library without a door", () => {
    const findings = RULES.flatMap((rule) => rule([createSourceFile("shared/store/keys.ts", "")]));
    expect(findings.map(({ path }) => path)).toEqual(["shared/store/README.md", "shared/store/index.ts"]);
  });
});

describe("tidy allows", () => {
  it.each([
    ["a long text in short code", "shared/store/keys.ts", `const a = "${"word ".repeat(40)}";`],
    ["words in texts and comments", "shared/store/keys.ts", 'const a = "Date.now() as X"; // Math.random()'],
    ["words in patterns", "shared/store/keys.ts", 'const a = b.replace(/[/"]Date.now\\(/g, c) / d;'],
    ["time read in the clock", "shared/clock/clock.ts", "const a = Date.now();"],
    ["a date made from a number", "shared/store/keys.ts", "const a = new Date(0);"],
    [
      "a cast with its reason above",
      "shared/store/keys.ts",
      "// Keys of a constant.\nconst c = a as string;",
    ],
    ["a cast to const", "shared/store/keys.ts", "const c = [1] as const;"],
    ["a renamed import", "shared/store/keys.ts", 'import { connect as open } from "#shared/clock";'],
    [
      "a renamed import on a line of its own",
      "shared/store/keys.ts",
      'import {\n  connect as open,\n} from "#shared/clock";',
    ],
    [
      "imports that point down",
      "shared/ward/admission/admit.ts",
      'import { a } from "#shared/store";\nimport "#shared/config";',
    ],
    [
      "imports inside a room",
      "shared/ward/admission/admit.ts",
      'import { a } from "./find.ts";\nimport { b } from "../ward/x.ts";',
    ],
    [
      "an agent that uses its team's contracts",
      "services/agents/coder/patcher/agent.ts",
      'import { a } from "../contracts.ts";',
    ],
    ["testing in a test", "shared/store/keys.test.ts", 'import { a } from "#shared/testing";'],
    [
      "a test of a service together with others",
      "tests/chaos.test.ts",
      'import { a } from "../services/gateway/server.ts";',
    ],
  ])("%s", (_what, path, text) => {
    expect(findingsIn({ [path]: text })).toEqual([]);
  });
});

describe("maskCode", () => {
  it("keeps every line and every column", () => {
    const code =
      "const a = `x${b ? `y${'z'}` : \"q\"}w`; /* one\ntwo */ const c = /[`\"']/.test(a); // `\nconst d = 1 / 2 / 3;\n";
    const { masked, commentLines } = maskCode("a.ts", code);
    expect(masked.split("\n").map((line) => line.length)).toEqual(
      code.split("\n").map((line) => line.length),
    );
    expect([...commentLines]).toEqual([1, 2]);
    expect(masked).toContain("const d = 1 / 2 / 3;");
    expect(masked).not.toMatch(/[xyzqw]\b(?!\()|two/);
  });
});

it("sees imports however they are written", () => {
  const file = createSourceFile(
    "shared/a/b.ts",
    'import "x";\nimport type { A } from \'y\';\nexport * from "z";\nconst c = await import("w");\n// import "v"\nconst d = `import "u"`;',
  );
  expect(importsOf(file).map(({ specifier }) => specifier)).toEqual(["x", "y", "z", "w"]);
});

const messages = (counts: object, ceilings: object): string[] =>
  checkCeilings(new Map(Object.entries(counts)), new Map(Object.entries(ceilings))).map(
    ({ message }) => message,
  );

it("counts source by room, tests and their support together, and every file", () => {
  const paths = new Set([
    "shared/store/a.ts",
    "shared/store/cut.lua",
    "shared/store/a.test.ts",
    "shared/store/README.md",
    "services/agents/support/team.ts",
    "services/agents/support/samples/made.ts",
    "services/agents/main.ts",
    "tests/support/b.ts",
    "bench/repair/c.ts",
    "vitest.config.ts",
  ]);
  expect(Object.fromEntries(countLines(paths, () => "one\ntwo\n"))).toEqual({
    files: 10,
    tests: 6,
    "shared/store": 4,
    "services/agents/support": 2,
    services: 2,
    bench: 2,
    root: 2,
  });
});

it("refuses what is over, what has no ceiling, and a ceiling that holds nothing, each with the way out", () => {
  expect(messages({ a: 1000, tests: 300 }, { a: 1030, tests: 310 })).toEqual([]);
  expect(messages({ a: 1001 }, { a: 1000 })).toEqual([expect.stringMatching(/^a: 1001 lines, over .*1000/)]);
  expect(messages({ a: 1000 }, { a: 1031 })).toEqual([expect.stringMatching(/--ceilings` lowers it$/)]);
  expect(messages({ files: 5 }, {})).toEqual([expect.stringMatching(/^files: 5 files and no ceiling/)]);
  expect(messages({}, { gone: 5 })).toHaveLength(1);
});

it("lowers and never raises, takes new rooms in and lets those go that are gone", () => {
  const counts = new Map(Object.entries({ a: 90, b: 120, fresh: 7 }));
  const ceilings = new Map(Object.entries({ a: 100, b: 100, gone: 5 }));
  expect(Object.fromEntries(lowerCeilings(counts, ceilings))).toEqual({ a: 90, b: 100, fresh: 7 });
});

/** Names that one door of a room may export. */
const EXPORTS_MAX = 40;

const EXPORT = /^export (?:type )?\{([^}]*)\}/gm;

/** Lists what each door exports, by name. A door re-exports by name: nothing is declared in it, nothing is `*`. */
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
