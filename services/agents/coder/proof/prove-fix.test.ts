import { describe, expect, test } from "vitest";
import { judgeProof, proveBest } from "./prove-fix.ts";
import type { FixProof } from "./prove-fix.ts";
import { openTrial, writeDiff } from "../testing/repair.ts";
import { tryDiff } from "../trial/try-diff.ts";

const HEAD = 'import assert from "node:assert/strict";\nimport { test } from "node:test";\n';
const check = (name: string, body: string): string => `test("${name}", () => ${body});\n`;

/** A project with one bug, what its suite tests, and a right fix. */
interface Bug {
  readonly name: string;
  readonly source: string;
  readonly tests: string;
  readonly fixed: string;
}

function bug(name: string, body: string, [from, to]: readonly [string, string], tests: string): Bug {
  const source = `${body}\n`;
  const exported = /export (?:async )?(?:function|const) (\w+)/.exec(source)?.[1] ?? "";
  const text = `${HEAD}import { ${exported} } from "../src/code.js";\n${tests}`;
  return { name, source, tests: text, fixed: source.replace(from, () => to) };
}

const BOUNDARY = bug(
  "a boundary",
  "export function price(total) {\n  if (total > 100) return total * 0.9;\n  return total;\n}",
  ["> 100", ">= 100"],
  check("100 is cheaper", "assert.ok(price(100) < 100)"),
);

/** Right fixes, each with one test that was red: constants, texts and lookups of the test stand in several of them. */
const RIGHT: readonly Bug[] = [
  BOUNDARY,
  bug(
    "an operator",
    "export const add = (a, b) => a - b;",
    ["a - b", "a + b"],
    check("adds", "assert.equal(add(1, 2), 3)"),
  ),
  bug(
    "a constant",
    "export const vat = (net) => net * 0.16;",
    ["0.16", "0.19"],
    check("19 %", "assert.equal(vat(100), 19)"),
  ),
  bug(
    "a text",
    'export const greet = (name) => "Helo " + name;',
    ["Helo", "Hello"],
    check("greets", 'assert.equal(greet("Ada"), "Hello Ada")'),
  ),
  bug(
    "an entry of a table",
    "export const codeOf = (name) => ({ fr: 33 })[name];",
    ["fr: 33", "fr: 33, de: 49"],
    check("Germany", 'assert.equal(codeOf("de"), 49)'),
  ),
  bug(
    "a missing await",
    "export async function save(write, done) {\n  write();\n  return done;\n}",
    ["  write()", "  await write()"],
    'test("fails with its write", () => assert.rejects(save(async () => { throw new Error("no"); }, 1)));\n',
  ),
  bug(
    "a missing guard",
    "export function first(list) {\n  return list[0].name;\n}",
    ["  return", "  if (list.length === 0) return null;\n  return"],
    check("nothing", "assert.equal(first([]), null)"),
  ),
  bug(
    "a shared default",
    "const D = { a: 1 };\nexport const withDefaults = (o) => Object.assign(D, o);",
    ["Object.assign(D, o)", "({ ...D, ...o })"],
    check("own", "{ withDefaults({ a: 2 }); assert.equal(withDefaults({}).a, 1); }"),
  ),
  bug(
    "a line too much",
    "export function half(n) {\n  n += 1;\n  return n / 2;\n}",
    ["  n += 1;\n", ""],
    check("halves", "assert.equal(half(4), 2)"),
  ),
  bug(
    "new logic",
    "export const slug = (t) => t;",
    ["t;", 't.toLowerCase().split(" ").filter((w) => w !== "").join("-");'],
    check("slugs", 'assert.equal(slug("Big  News"), "big-news")'),
  ),
];

function openBug({ source, tests }: Pick<Bug, "source" | "tests">) {
  return openTrial({
    "package.json": '{"type":"module"}',
    "src/code.js": source,
    "test/code.test.js": tests,
  });
}

const NOTHING = { held_out: [], doubts: [] };
const fixOf = (one: Bug, fixed = one.fixed) => ({
  diff: writeDiff("src/code.js", one.source, fixed),
  passed: 1,
});

describe("a right fix whose test was red before and green after", () => {
  test.each(RIGHT)("is accepted: $name", async (one) => {
    const trial = openBug(one);
    expect((await tryDiff({ ...trial, diff: fixOf(one).diff })).verdict).toBe("green");
    const { status, proof } = await proveBest([fixOf(one)], NOTHING, trial);
    expect(status).toBe("accepted");
    expect(proof).toMatchObject({ red_before: 1, failed_repeats: 0 });
  });
});

describe("a green fix is unproven where", () => {
  test("its tests pass without it", async () => {
    const tests = BOUNDARY.tests.replace("price(100) < 100", "price(101) < 101");
    const judged = await proveBest([fixOf(BOUNDARY)], NOTHING, openBug({ ...BOUNDARY, tests }));
    expect(judged).toMatchObject({
      status: "unproven",
      reasons: expect.arrayContaining([expect.stringMatching(/passes without the fix/)]),
    });
  });

  test("tests that the patcher was not shown stay red; it gives way to one with which they pass", async () => {
    const wrong = BOUNDARY.source.replace("return total;", "return total - 1;");
    const text = `${HEAD}import { price } from "../src/code.js";\n${check("100", "assert.equal(price(100), 90)")}`;
    const known = { held_out: [{ path: "test/second.test.js", text }], doubts: [] };
    const best = await proveBest([fixOf(BOUNDARY, wrong), fixOf(BOUNDARY)], known, openBug(BOUNDARY));
    expect(best.diff).toContain(">= 100");
    expect(best).toMatchObject({
      status: "accepted",
      proof: { second_test: "green", red_before: 2 },
    });
    const left = await proveBest([fixOf(BOUNDARY, wrong)], known, openBug(BOUNDARY));
    expect(left).toMatchObject({ status: "unproven", proof: { second_test: "red" } });
  });

  test("the suite wavers", async () => {
    // Red in every run: the trial that was green before is not made again here.
    const tests = `${BOUNDARY.tests}${check("now and then", "assert.ok(performance.now() < 0)")}`;
    const { status, reasons } = await proveBest([fixOf(BOUNDARY)], NOTHING, openBug({ ...BOUNDARY, tests }));
    expect(status).toBe("unproven");
    expect(reasons[0]).toMatch(/wavers/);
  });
});

const PROOF: FixProof = {
  repeats: 3,
  failed_repeats: 0,
  red_before: 1,
  second_test: "none",
};

test.each<[string, Partial<FixProof>, string[], string]>([
  ["figures alone", {}, [], "accepted"],
  ["a doubt from before", {}, ["It wavered."], "unproven"],
  ["no red test", { red_before: 0 }, [], "unproven"],
  ["a test that stays red", { second_test: "red" }, [], "unproven"],
])("the judgement on %s", (_, change, known, status) => {
  expect(judgeProof({ ...PROOF, ...change }, known).status).toBe(status);
});
