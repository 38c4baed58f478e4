import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyDiff } from "../diff/apply-diff.ts";
import { digestDiff } from "../diff/digest-diff.ts";
import type { FixesInput } from "../patcher/answer.ts";
import type { FailingTest } from "../trial/report.ts";
import { proposeFixes } from "./propose-fixes.ts";

const FAILED: FailingTest = {
  file: "test/a.test.js",
  name: "works",
  kind: "assertion",
  line: 3,
  message: "Expected values to be strictly equal",
  expected: null,
  actual: null,
  frames: [],
};

function ask(text: string, failing: Partial<FailingTest> = {}, more: Partial<FixesInput> = {}): FixesInput {
  return {
    issue: "It is wrong.",
    cause: "Unknown.",
    aim: "",
    suspects: [{ path: "src/a.js", line: 1, symbol: "", because: "It is the only one." }],
    failing: [{ ...FAILED, ...failing }],
    sources: [{ path: "src/a.js", text }],
    best: null,
    tried: [],
    fixes_max: 8,
    ...more,
  };
}

/** A stand-in's argument and answer are typed for any step; these are those of `fixes`. */
const propose = proposeFixes as (input: FixesInput) => { readonly fixes: readonly { diff: string }[] };

/** The texts that the proposals make of the only source, the likeliest first. */
function textsOf(input: FixesInput): string[] {
  const [{ path, text } = { path: "", text: "" }] = input.sources;
  return propose(input).fixes.map(({ diff }) => {
    const applied = applyDiff(diff, () => text);
    if (!applied.ok) throw new Error(applied.problem);
    return applied.files.get(path) ?? "";
  });
}

describe("the fixes of a rehearsal", () => {
  test.each([
    ["a bound", "export function f(a, b) {\n  return a < b;\n}\n", {}, "a <= b"],
    ["an operator", "export const f = (a, b) => a - b;\n", {}, "a + b"],
    ["a number", "export const f = (a) => a ?? 1;\n", { expected: "4", actual: "5" }, "a ?? 0"],
    [
      "a name",
      'import { parseFeeds } from "./a.js";\nexport function parseFeed() {}\n',
      { message: "SyntaxError: './a.js' does not provide an export named 'parseFeeds'" },
      "import { parseFeed }",
    ],
    [
      "a promise",
      "async function g() {\n  const x = h();\n  return x.y();\n}\n",
      { message: "TypeError: x.y is not a function" },
      "await h()",
    ],
    ["a copy", "const f = (a) => Object.assign(D, a);\n", {}, "Object.assign({}, D, a)"],
    ["a type", "const f = (n) => ({ n });\n", { expected: "{ n: 1 }", actual: "{ n: '1' }" }, "Number(n)"],
  ])("set right %s", (_, text, failing, wanted) => {
    expect(textsOf(ask(text, failing)).some((after) => after.includes(wanted))).toBe(true);
  });

  test("read TypeScript, its types left as they are", () => {
    const sources = [{ path: "src/a.ts", text: "export const f = (a: number): number => a - 1;\n" }];
    expect(textsOf(ask("", {}, { sources }))).toContain("export const f = (a: number): number => a + 1;\n");
  });

  test("are never those that were tried, go on from what helps, and never touch tests", () => {
    const text = "export const f = (a, b) => a - b;\nexport const g = (a, b) => a < b;\n";
    const first = propose(ask(text)).fixes;
    const tried = first.map(({ diff }) => {
      return { digest: digestDiff(diff), shown: diff, verdict: "red" as const, told: "", has_moved: true };
    });
    const second = textsOf(ask(text, {}, { tried, best: first[0]?.diff ?? "" }));
    expect(second).toEqual(["export const f = (a, b) => a + b;\nexport const g = (a, b) => a <= b;\n"]);
    const onlyTests = ask(text, {}, { sources: [{ path: "test/a.test.js", text }] });
    expect(propose(onlyTests).fixes).toEqual([]);
  });

  test("fit whatever the source is, and are the same ones twice", () => {
    const piece = fc.constantFrom(
      "function f(a) {",
      "}",
      "return ",
      "a.b",
      "(",
      ")",
      "`${x}`",
      "/r/g",
      "1",
      " + ",
      ";",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 8 })), { maxLength: 30 }), (pieces) => {
        const input = ask(pieces.join(""), { actual: "undefined", message: "x is not defined" });
        expect(textsOf(input)).toEqual(textsOf(input));
      }),
      { numRuns: 150 },
    );
  });
});
