import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyDiff } from "../diff/apply-diff.ts";
import { digestDiff } from "../diff/digest-diff.ts";
import type { FixesInput } from "../patcher/answer.ts";
import type { FailingTest } from "../trial/report.ts";
import { nearNames } from "./near-names.ts";
import { proposeRepairs } from "./propose-repairs.ts";
import { readShown, UNREADABLE } from "./read-shown.ts";
import { readSource } from "./source.ts";
import { readSymptoms } from "./symptoms.ts";
import { readTokens } from "./tokens.ts";

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

function ask(text: string, failing: Partial<FailingTest>, more: Partial<FixesInput> = {}): FixesInput {
  return {
    issue: "It is wrong.",
    cause: "Unknown.",
    suspects: [{ path: "src/a.js", line: 1, symbol: "", because: "It is the only one." }],
    failing: [{ ...FAILED, ...failing }],
    sources: [{ path: "src/a.js", text }],
    best: null,
    tried: [],
    fixes_max: 8,
    ...more,
  };
}

/** The texts that the proposals make of the only source, the likeliest first. */
function textsOf(input: FixesInput): string[] {
  const original = input.sources[0]?.text ?? "";
  return proposeRepairs(input).map(({ diff }) => {
    const applied = applyDiff(diff, () => original);
    if (!applied.ok) throw new Error(applied.problem);
    return applied.files.get("src/a.js") ?? "";
  });
}

describe("the catalogue", () => {
  test.each([
    [
      "a bound",
      "export function f(a, b) {\n  return a < b;\n}\n",
      { expected: "true", actual: "false" },
      "a <= b",
    ],
    [
      "an operator",
      "export function f(a, b) {\n  return a - b;\n}\n",
      { expected: "3", actual: "-1" },
      "a + b",
    ],
    [
      "a name",
      "export function f(list) {\n  return list.lenght;\n}\n",
      { expected: "3", actual: "undefined" },
      "list.length",
    ],
    [
      "a default",
      "export function f(n) {\n  const x = n || 5;\n  return x;\n}\n",
      { expected: "0", actual: "5" },
      "n ?? 5",
    ],
    [
      "an order",
      "export function f(xs) {\n  return xs.sort();\n}\n",
      { expected: "[ 9, 10 ]", actual: "[ 10, 9 ]" },
      "a - b",
    ],
    [
      "a promise",
      "async function g() {\n  return 1;\n}\nexport async function f() {\n  const x = g();\n  return x + 1;\n}\n",
      { expected: "2", actual: "'[object Promise]1'" },
      "await g()",
    ],
    [
      "what may be absent",
      "export function f(a) {\n  return a.b.c;\n}\n",
      { kind: "exception" as const, message: "TypeError: Cannot read properties of undefined (reading 'c')" },
      "a.b?.c",
    ],
  ])("repairs %s among its first proposals", (_, text, failing, wanted) => {
    expect(textsOf(ask(text, failing)).some((after) => after.includes(wanted))).toBe(true);
  });

  test("never proposes what was tried, goes on from what helps, and never touches tests", () => {
    const text = "export const f = (a, b) => a - b;\nexport const g = (a, b) => a < b;\n";
    const first = proposeRepairs(ask(text, { expected: "3", actual: "-1" }));
    const [best] = first;
    if (best === undefined) throw new Error("nothing proposed");
    const tried = first.map(({ diff }) => ({
      digest: digestDiff(diff),
      shown: diff,
      verdict: "red" as const,
      told: "",
      has_moved: true,
    }));
    const second = proposeRepairs(ask(text, { expected: "3", actual: "-1" }, { tried, best: best.diff }));
    const digests = new Set(first.map(({ diff }) => digestDiff(diff)));
    expect(second.length).toBeGreaterThan(0);
    for (const { diff } of second) expect(digests.has(digestDiff(diff))).toBe(false);
    const onlyTests = ask(
      text,
      { expected: "3", actual: "-1" },
      { sources: [{ path: "test/a.test.js", text }] },
    );
    expect(proposeRepairs(onlyTests)).toEqual([]);
  });

  test("gives diffs that fit, whatever the source is, and the same ones twice", () => {
    const piece = fc.constantFrom(
      "function f(a) {",
      "}",
      "return ",
      "a.b",
      "(",
      ")",
      "[",
      "]",
      "`${x}`",
      "/r/g",
      "'t'",
      "=> ",
      "await ",
      "1",
      " + ",
      ";",
      "\n",
      "if (a) ",
      "const x = ",
      "{ y }",
    );
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 6, arbitrary: piece }, fc.string({ maxLength: 8 })), { maxLength: 60 }),
        (pieces) => {
          const text = pieces.join("");
          const input = ask(text, {
            expected: "[ 1, 'a' ]",
            actual: "undefined",
            message: "x is not defined",
          });
          expect(textsOf(input)).toEqual(textsOf(input));
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("reading code", () => {
  test("cuts tokens that lie where they say", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 200 }), (text) => {
        for (const { start, end, text: own } of readTokens(text)) expect(text.slice(start, end)).toBe(own);
      }),
      { examples: [["`\\"], ["`${`\\"]] },
    );
  });

  test("tells a division from a pattern, and what a template holds", () => {
    const kinds = (text: string) => readTokens(text).map(({ kind, text: own }) => `${kind} ${own}`);
    expect(kinds("a / b / c")).not.toContain("regex / b /");
    expect(kinds("return /[/]x/g")).toContain("regex /[/]x/g");
    expect(kinds("`a${b + `c`}d`")).toContain("word b");
  });

  test("finds functions of every form with their names, parameters and lines", () => {
    const text =
      "async function a(x, { y }) {\n}\nconst b = (z) => z + 1;\nclass C {\n  d(e = 1) {\n    return e;\n  }\n}\n";
    const found = readSource("a.js", text).functions.map(
      (one) => `${one.name}(${one.params.join()}) ${one.firstLine}-${one.lastLine}`,
    );
    expect(found).toEqual(["a(x,y) 1-2", "b(z) 3-3", "d(e) 5-7"]);
  });
});

describe("reading failures", () => {
  test("reads values back as Node prints them, and runs nothing", () => {
    expect(readShown("[ { a: 1, 'b-c': 'it\\'s' }, undefined ]")).toEqual([{ a: 1, "b-c": "it's" }, null]);
    expect(readShown("-1.5")).toBe(-1.5);
    expect(readShown("[Function: f]")).toBe(UNREADABLE);
    expect(readShown("process.exit(1)")).toBe(UNREADABLE);
  });

  test.each([
    [{ expected: "3", actual: "4" }, "one_off"],
    [{ expected: "3", actual: "-3" }, "opposite"],
    [{ expected: "3", actual: "'3'" }, "type_mixed"],
    [{ expected: "[ 1, 2 ]", actual: "[ 2, 1 ]" }, "order"],
    [{ expected: "'a'", actual: "'A'" }, "letter_case"],
    [{ message: "Missing expected exception." }, "no_error"],
    [{ message: "The requested module './a.js' does not provide an export named 'b'" }, "no_export"],
  ])("sees in %o: %s", (failing, symptom) => {
    expect([...readSymptoms([{ ...FAILED, ...failing }])]).toContain(symptom);
  });

  test("finds the names that are nearest", () => {
    expect(nearNames("lenght", ["length", "size", "left"])[0]).toBe("length");
    expect(nearNames("parseFeeds", ["parseFeed", "readFeed"])[0]).toBe("parseFeed");
    expect(nearNames("x", ["completely"])).toEqual([]);
  });
});
