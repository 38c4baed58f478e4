import { describe, expect, test } from "vitest";
import type { TestsInput } from "../explorer/answer.ts";
import type { FailingTest } from "../trial/report.ts";
import { writeTests } from "./write-tests.ts";

/** A stand-in's argument and answer are typed for any step; these are those of `tests`. */
const write = writeTests as (input: TestsInput) => {
  readonly tests: readonly { readonly path: string; readonly text: string }[];
  readonly open: string;
};

function ask(issue: string, more: Partial<TestsInput> = {}): TestsInput {
  return {
    issue,
    goal: "",
    aim: "",
    runner: "node:test",
    failing: [],
    sources: [
      {
        path: "src/a.js",
        text: "export const half = (n) => n;\nexport function joinAll(list) {\n  return list;\n}\n",
      },
      { path: "test/a.test.js", text: 'test("half", () => half(2));\n' },
    ],
    paths: ["src/a.js", "test/a.test.js"],
    ...more,
  };
}

const RED: FailingTest = {
  file: "test/a.test.js",
  name: "half",
  kind: "assertion",
  line: 1,
  message: "no",
  expected: null,
  actual: null,
  frames: [],
};

describe("tests from a report", () => {
  test.each([
    ["half(4) should return 2.", "half(4), 2"],
    ["half(4) returns 4 instead of 2.", "half(4), 2"],
    ["half(4) returns 4 and not 2, which is odd", "half(4), 2"],
    ["half(4) devuelve 4, debería devolver 2", "half(4), 2"],
    ["half(4) liefert 4 statt 2", "half(4), 2"],
    ["half(-4.5) renvoie 1, devrait renvoyer -2.25", "half(-4.5), -2.25"],
    ['joinAll(["a", "b"]) must be "ab"', 'joinAll(["a", "b"]), "ab"'],
  ])("are written for: %s", (issue, call) => {
    const { tests, open } = write(ask(issue));
    expect(tests).toHaveLength(1);
    expect(tests[0]?.text).toContain(`assert.deepEqual(${call})`);
    expect(tests[0]?.text).toContain('from "../src/a.js"');
    expect(open).toBe("");
  });

  test.each([
    "half is wrong. Please fix!!",
    "half(4) returns 2 and should return 2.",
    "half(4) returns 4, which is right.",
    "halve(4) should return 2.",
    "half(process.exit(0)) should return 2.",
    'half(4) should return require("fs").',
  ])("are not written for: %s", (issue) => {
    const { tests, open } = write(ask(issue));
    expect(tests).toEqual([]);
    expect(open).toMatch(/no example/);
  });

  test.each([
    ["pytest", "a.py", "def half(n):\n    return n\n", "assert half(4) == 2"],
    ["go test", "a.go", "package a\n\nfunc half(n int) int {\n\treturn n\n}\n", "got := half(4); got != 2"],
    ["vitest", "src/a.ts", "export const half = (n: number) => n;\n", "expect(half(4)).toEqual(2)"],
  ] as const)("are written for %s", (runner, path, text, wanted) => {
    const { tests } = write(
      ask("half(4) should return 2", { runner, sources: [{ path, text }], paths: [path] }),
    );
    expect(tests[0]?.text).toContain(wanted);
  });
});

describe("what a report asks for and no red test shows", () => {
  test.each([
    ["another function", "half(4) is wrong, and joinAll() adds a comma.", /No red test names joinAll/],
    ["one more thing", "Half is too high. Also the colours are wrong.", /several things/],
    ["a list", "1. Half is too high\n2. colours are wrong", /several things/],
    [
      "one more thing, in Spanish",
      "La mitad es demasiado alta. Además los colores están mal.",
      /several things/,
    ],
  ])("is told: %s", (_, issue, told) => {
    expect(write(ask(issue, { failing: [RED] })).open).toMatch(told);
  });

  test("is nothing where the red tests name what the report names", () => {
    expect(write(ask("half() is too high.", { failing: [RED] })).open).toBe("");
  });
});
