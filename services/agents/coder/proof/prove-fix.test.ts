import { describe, expect, test } from "vitest";
import fc from "fast-check";
import { writeDiff } from "../diff/diff.ts";
import { proveBest, PROOF_LIMITS_DEFAULT, listChangedLines, listMutants } from "./prove-fix.ts";
import { openTrial } from "../testing/repair-in-memory.ts";
import { tryDiff } from "../trial/try-diff.ts";
import type { Trial } from "../trial/try-diff.ts";
import { judgeProof } from "./judge-proof.ts";
import type { FixProof } from "./judge-proof.ts";

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

function openBug({ source, tests }: Pick<Bug, "source" | "tests">, more: Partial<Trial> = {}): Trial {
  const files = { "package.json": '{"type":"module"}', "src/code.js": source, "test/code.test.js": tests };
  return openTrial(files, more);
}

const NOTHING = { held_out: [], doubts: [] };
const SHORT = { ...PROOF_LIMITS_DEFAULT, repeats: 2, mutantsMax: 1 };
const fixOf = (one: Bug, fixed = one.fixed) => ({
  diff: writeDiff("src/code.js", one.source, fixed),
  passed: 1,
});

describe("a right fix whose test was red before and green after", () => {
  test.each(RIGHT)("is accepted: $name", async (one) => {
    const trial = openBug(one);
    expect((await tryDiff({ ...trial, diff: fixOf(one).diff })).verdict).toBe("green");
    const { judgement, proof } = await proveBest([fixOf(one)], NOTHING, trial, SHORT);
    expect(judgement).toMatchObject({ status: "accepted" });
    expect(proof).toMatchObject({ red_before: 1, failed_repeats: 0 });
  });

  test("is accepted where no test notices a changed number, which is told as a figure", async () => {
    const source = BOUNDARY.fixed.replace("0.9", "0.8");
    const tests = BOUNDARY.tests.replace("price(100) < 100", "price(100) > 85");
    const one = { ...BOUNDARY, source, tests };
    const { judgement, proof } = await proveBest(
      [fixOf(one, source.replace("0.8", "0.9"))],
      NOTHING,
      openBug(one),
    );
    expect(judgement.status).toBe("accepted");
    expect(proof.mutants.tried).toBeGreaterThan(proof.mutants.killed);
    expect(judgement.reasons.join(" ")).toMatch(/No test notices `if \(total > 100\)/);
  });
});

test("a fix that answers the test's own input is told beside the verdict by the values it writes", async () => {
  const [, adds] = RIGHT;
  if (adds === undefined) throw new RangeError("there is no such bug");
  const fixed = "export const add = (a, b) => (a === 1 && b === 2 ? 3 : a - b);\n";
  const first = openBug(adds);
  const before = (await tryDiff(first)).report;
  const { judgement, proof } = await proveBest([fixOf(adds, fixed)], NOTHING, { ...first, before }, SHORT);
  expect(judgement.status).toBe("accepted");
  expect(proof.test_values).toEqual(["2", "3"]);
  expect(judgement.reasons.join(" ")).toContain(
    "values of the tests, which a reader may want to look at: 2, 3.",
  );
  const right = await proveBest([fixOf(adds)], NOTHING, { ...first, before }, SHORT);
  expect(right.proof.test_values).toEqual([]);
});

describe("a green fix is unproven where", () => {
  test("its tests pass without it", async () => {
    const tests = BOUNDARY.tests.replace("price(100) < 100", "price(101) < 101");
    const { judgement } = await proveBest([fixOf(BOUNDARY)], NOTHING, openBug({ ...BOUNDARY, tests }), SHORT);
    expect(judgement).toMatchObject({
      status: "unproven",
      reasons: expect.arrayContaining([expect.stringMatching(/passes without the fix/)]),
    });
  });

  test("tests that the patcher was not shown stay red; it gives way to one with which they pass", async () => {
    const wrong = BOUNDARY.source.replace("return total;", "return total - 1;");
    const text = `${HEAD}import { price } from "../src/code.js";\n${check("100", "assert.equal(price(100), 90)")}`;
    const known = { held_out: [{ path: "test/second.test.js", text }], doubts: [] };
    const best = await proveBest([fixOf(BOUNDARY, wrong), fixOf(BOUNDARY)], known, openBug(BOUNDARY), SHORT);
    expect(best.diff).toContain(">= 100");
    expect(best).toMatchObject({
      judgement: { status: "accepted" },
      proof: { second_test: "green", red_before: 2 },
    });
    const left = await proveBest([fixOf(BOUNDARY, wrong)], known, openBug(BOUNDARY), SHORT);
    expect(left).toMatchObject({ judgement: { status: "unproven" }, proof: { second_test: "red" } });
  });

  test("the suite wavers", async () => {
    // Red in every run: the trial that was green before is not made again here.
    const tests = `${BOUNDARY.tests}${check("now and then", "assert.ok(performance.now() < 0)")}`;
    const { judgement } = await proveBest([fixOf(BOUNDARY)], NOTHING, openBug({ ...BOUNDARY, tests }));
    expect(judgement.status).toBe("unproven");
    expect(judgement.reasons[0]).toMatch(/wavers/);
  });
});

const PROOF: FixProof = {
  repeats: 3,
  failed_repeats: 0,
  red_before: 1,
  second_test: "none",
  others_green: 1,
  test_values: [],
  mutants: { tried: 3, killed: 0 },
  survivors: [{ path: "a.js", line: 1, mutated: "x" }],
};

test.each<[string, Partial<FixProof>, string[], string]>([
  ["figures alone", {}, [], "accepted"],
  ["values of the tests", { test_values: ["3"] }, [], "accepted"],
  ["a doubt from before", {}, ["It wavered."], "unproven"],
  ["no red test", { red_before: 0 }, [], "unproven"],
  ["a test that stays red", { second_test: "red" }, [], "unproven"],
])("the judgement on %s", (_, change, known, status) => {
  expect(judgeProof({ ...PROOF, ...change }, known).status).toBe(status);
});

const mutate = (text: string, path = "a.js"): string[] =>
  listMutants({ path, line: 1, text }).map(({ mutated }) => mutated);

describe("mutants of a line", () => {
  test.each([
    ["a.js", "  if (a < 3) b();", ["  if (a <= 3) b();", "  if (a < 4) b();"]],
    ["a.js", "return a && !b;", ["return a || !b;"]],
    ["a.go", "\treturn strings.ToUpper(name)", []],
    ["a.js", 'const x = "1 < 2" + f((a) => b); // 1 + 2 < 3', []],
  ])("of %s change its conditions and numbers: %s", (path, text, wanted) => {
    expect(mutate(text, path)).toEqual(wanted);
  });

  test("each differ from the line, stay one line, and are the same ones twice", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii", maxLength: 80 }), (text) => {
        const mutants = mutate(text);
        expect(mutants).not.toContain(text);
        expect(mutants).toEqual(mutate(text));
        expect(mutants.every((one) => !one.includes("\n"))).toBe(true);
      }),
    );
  });
});

test("changed lines of code are told, comments are not", () => {
  const lines = listChangedLines("a.js", "a();\n", "a();\n// why\nb();\n");
  expect(lines).toEqual([{ path: "a.js", line: 3, text: "b();" }]);
});
