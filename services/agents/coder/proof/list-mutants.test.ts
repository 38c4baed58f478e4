import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listChangedLines, listMutants } from "./list-mutants.ts";

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
