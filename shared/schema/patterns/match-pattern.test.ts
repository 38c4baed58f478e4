import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { matchesPattern, parsePattern } from "./match-pattern.ts";
import { Search } from "./search.ts";

/** Patterns of every kind that schemas may hold, small enough for the native engine. */
const { pattern } = fc.letrec<{ pattern: string; part: string; unit: string }>((tie) => ({
  unit: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom("a", "b", ".", "[ab]", "[^a]", "\\w", "\\d", "\\s", "x", "é", "\\u{1f600}", "\\p{L}"),
    tie("pattern").map((inner) => `(${inner})`),
    tie("pattern").map((inner) => `(?:${inner})`),
  ),
  part: fc.oneof(
    tie("unit"),
    fc
      .tuple(
        tie("unit"),
        fc.constantFrom("*", "+", "?", "{2}", "{1,3}", "{0,2}", "{2,}", "*?", "+?", "??", "{1,2}?"),
      )
      .map(([unit, repeat]) => unit + repeat),
    fc.constantFrom("^", "$", "\\b", "\\B"),
    fc
      .tuple(fc.constantFrom("=", "!", "<=", "<!"), tie("pattern"))
      .map(([kind, inner]) => `(?${kind}${inner})`),
  ),
  pattern: fc.oneof(
    fc.array(tie("part"), { maxLength: 4 }).map((parts) => parts.join("")),
    fc.tuple(tie("pattern"), tie("pattern")).map((options) => options.join("|")),
  ),
}));

const text = fc.string({ unit: fc.constantFrom("a", "b", "x", "1", " ", "é"), maxLength: 8 });

const search = (value: string, source: string): boolean | undefined => {
  const part = parsePattern(source);
  if (part === undefined) throw new Error(`not supported: ${source}`);
  const points = Array.from(value, (char) => char.codePointAt(0) ?? 0);
  return Search.find(points, part, { left: 300_000 });
};

test("agrees with the native engine", () => {
  fc.assert(
    fc.property(pattern, text, (source, value) => {
      expect(search(value, source)).toBe(new RegExp(source, "u").test(value));
    }),
    { numRuns: 3000, seed: 11 },
  );
});

describe("matches in bounded time", () => {
  const HOSTILE: readonly [string, string][] = [
    ["bounded repeats", `^${"a{0,60}".repeat(5)}b$`],
    ["many bounded repeats", `${"[a-z]{0,100}".repeat(300)}!`],
    ["alternatives in a row", `^${"(a|a)".repeat(40)}b$`],
    ["alternatives of alternatives", `^${"(a|(a|(a|a)))".repeat(300)}b$`],
    ["optional characters", `^${"a?".repeat(200)}${"a".repeat(200)}b$`],
    ["repeats of repeats", "^((a+)+)+b$"],
    ["counted repeats of counted repeats", "^((a{0,1000}){0,1000}){0,1000}b$"],
    ["long rounds", `^(a|${"xy".repeat(1000)}){0,60000}b$`],
    ["looks ahead at every place", `(${"(?=a*b)".repeat(50)}|${"(?!a*b)".repeat(50)}c)+`],
    ["looks behind at every place", `(${"(?<=b.*)".repeat(50)}a)+`],
    ["an open repeat after a fixed one", "a{2000}a*b"],
  ];
  test.each(HOSTILE)("%s", (_, source) => {
    for (const length of [12, 60, 500, 4096, 65_536]) {
      const startedMs = performance.now();
      const matched = matchesPattern("a".repeat(length), source);
      expect(performance.now() - startedMs).toBeLessThan(1000);
      expect(["no", "too_costly"]).toContain(matched);
    }
  });

  test("takes from the meter in proportion to the time", () => {
    const meter = { left: 3_000_000 };
    const startedMs = performance.now();
    for (const [, source] of HOSTILE)
      for (let n = 0; n < 10_000 && meter.left > 0; n += 1)
        matchesPattern("a".repeat(n % 100), source, meter);
    expect(performance.now() - startedMs).toBeLessThan(5000);
  });
});

test.each([
  ["^[\\s\\S]{1,5000}$", "Plain prose. ".repeat(300)],
  ["^[^<>]+$", "Plain prose. ".repeat(4000)],
  ["^(?!.*--)[a-z0-9-]+$", "abc-".repeat(200)],
  ["(?<!un)safe$", "quite safe"],
  ["^([a-z0-9-]+\\.)+[a-z]{2,}$", `${"label.".repeat(300)}example`],
  ["^.{3}\\u{1f600}$", "😀".repeat(4)],
  ["needle", `${"hay ".repeat(5000)}needle`],
])("matches honest long texts: %s", (source, value) => {
  expect(matchesPattern(value, source)).toBe("yes");
});
