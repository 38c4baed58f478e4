import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { listChangedLines } from "./changed-lines.ts";
import { listMutants } from "./list-mutants.ts";

const mutate = (text: string, path = "a.js"): string[] =>
  listMutants({ path, line: 1, text }).map(({ mutated }) => mutated);

describe("mutants of a line", () => {
  test.each([
    ["a.js", "  if (a < 3) b();", ["  if (a <= 3) b();", "  if (a < 4) b();", "  if (a < 2) b();"]],
    ["a.js", "return a && !b;", ["return a || !b;", "return a && b;", "return a;", "return !b;"]],
    ["a.ts", "  total += price;", ["  total -= price;", "  "]],
    [
      "a.py",
      "    if total > 5 and ok:",
      ["    if total >= 5 and ok:", "    if total > 5 or ok:", "    if not (total > 5 and ok):"],
    ],
    ["a.py", "    self.save(x)", ["    pass"]],
    ["a.py", "    return total // 2", ["    return total / 2", "    return total // 3"]],
    ["a.go", "\tif ok {", ["\tif !(ok) {"]],
    ["a.go", "\treturn strings.ToUpper(name)", []],
    ["a.js", "return join(a, b);", ["return join(b, a);"]],
    ["a.js", 'return a + "/";', ['return a + "";', 'return a - "/";']],
  ])("of %s: %s", (path, text, wanted) => {
    expect(mutate(text, path)).toEqual(expect.arrayContaining(wanted));
  });

  test("leave comments, imports and keys as they are", () => {
    expect(mutate('import { a } from "./b.js";')).toEqual([]);
    expect(mutate("const x = y; // 1 + 2 < 3")).toEqual([]);
    expect(mutate("x = y  # 1 + 2", "a.py")).toEqual(["pass# 1 + 2"]);
    expect(mutate("  last: value,")).toEqual([]);
  });

  test("do not swap what is the same either way", () => {
    expect(mutate("return a - 0;")).not.toContain("return a + 0;");
  });

  test("each differ from the line, stay one line, and are the same ones twice", () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 60 }).filter((text) => !text.includes("\n")),
        (text) => {
          const all = mutate(text);
          expect(new Set(all).size).toBe(all.length);
          expect(all).not.toContain(text);
          expect(all.every((one) => !one.includes("\n"))).toBe(true);
          expect(mutate(text)).toEqual(all);
        },
      ),
      { numRuns: 300 },
    );
  });
});

test("the lines that a fix changes are numbered as in the new file, without comments and blanks", () => {
  const before = "a\nb\nc\n";
  const after = "a\n// why\nx = 1\n\nc\ny = 2\n";
  expect(listChangedLines("a.js", before, after)).toEqual([
    { path: "a.js", line: 3, text: "x = 1" },
    { path: "a.js", line: 6, text: "y = 2" },
  ]);
  expect(listChangedLines("data.json", before, after)).toEqual([]);
});
