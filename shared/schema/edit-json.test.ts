import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editJson, replaceTextAt, textAt } from "./edit-json.ts";
import { isSameJson } from "./json-value.ts";
import type { JsonValue } from "./json-value.ts";

const ODD = [
  "1e-400",
  "-0",
  "1.0",
  "1E5",
  "12345678901234567890",
  "1e400",
  "0.10",
  '"\\u0041\\/"',
  "true",
  "null",
];
const BLANKS = ["", " ", "\n  ", "\t"];

/** JSON text as strangers write it: blanks anywhere, numbers and escapes that JavaScript prints otherwise. */
const blank = fc.constantFrom(...BLANKS);
const odd = fc.oneof(
  fc.constantFrom(...ODD),
  fc.jsonValue({ maxDepth: 0 }).map((one) => JSON.stringify(one)),
);
// No name `\\`: V8 13.6 then reads a later name `"` in the same place as `\\`.
const name = fc.constantFrom("a", "b", "c d", "é", "__proto__", '"', "0", "1");
const { tree } = fc.letrec<{ tree: string }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    odd,
    fc
      .array(fc.tuple(blank, tie("tree"), blank), { maxLength: 4 })
      .map((items) => `[${items.map((item) => item.join("")).join(",")}]`),
    fc
      .uniqueArray(fc.tuple(name, blank, tie("tree"), blank), { maxLength: 4, selector: ([key]) => key })
      .map(
        (of) =>
          `{${of.map(([key, a, text, b]) => `${a}${JSON.stringify(key)}${b}:${a}${text}${b}`).join(",")}}`,
      ),
  ),
}));

/** JSON has no infinite numbers: one can only stay where it was read. */
const finite = tree.filter((text) => !text.includes("1e400"));

const parse = (text: string): JsonValue => JSON.parse(text) as JsonValue;

function placesOf(value: JsonValue): string[][] {
  if (typeof value !== "object" || value === null) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([key, one]) => placesOf(one).map((steps) => [key, ...steps])),
  ];
}

describe("editJson", () => {
  it.each([
    ['{ "n": 1e-400,  "amount": "7" }', { n: 0, amount: 7 }, '{ "n": 1e-400,  "amount": 7 }'],
    [
      '{"N":1e-400,"id":12345678901234567890}',
      parse('{"n":0,"id":12345678901234567890}'),
      '{"id":12345678901234567890,"n":1e-400}',
    ],
    ['{"data":{"n":-0.0,"s":"\\u0041"}}', { n: -0, s: "A" }, '{"n":-0.0,"s":"\\u0041"}'],
    ['[1.0, 2.50 ,"3"]', [1, 2.5, 3], "[1.0, 2.50 ,3]"],
    ['{"a":1 , "b":2}', { b: 2 }, '{"b":2}'],
    ['{"a":1 , "b":2}', { a: 1, c: 3 }, '{"a":1 , "c":3}'],
    [" {} ", { a: 1 }, ' {"a":1} '],
    ["[ ]", ["x"], '["x" ]'],
    ["{'n': 12345678901234567890}", parse('{"n":12345678901234567890}'), '{"n":12345678901234567890}'],
    ['"text"', null, "null"],
    ['{"n":1e400}', { n: null }, '{"n":null}'],
    ['{"old":0,"n":1e-400}', { n: 0, added: 0 }, '{"n":1e-400,"added":0}'],
  ])("edits %s", (text, value, expected) => {
    expect(editJson(text, value)).toBe(expected);
  });

  it("says so where it cannot be told which of several numbers has moved", () => {
    expect(editJson('{"A":1e-400,"B":0}', { a: 0, b: 0 })).toBeUndefined();
  });

  it("writes what it was told, and keeps every byte of what it was not", () => {
    fc.assert(
      fc.property(tree, finite, fc.nat(), (text, other, pick) => {
        const value = parse(text);
        expect(editJson(text, value)).toBe(text);
        // One place gets another value.
        const places = placesOf(value);
        const steps = places[pick % places.length] ?? [];
        const target = parse(replaceTextAt(text, steps, other));
        const edited = editJson(text, target);
        if (edited === undefined) return;
        expect(isSameJson(parse(edited), target)).toBe(true);
        for (const place of places) {
          const isTouched =
            steps.every((step, at) => place[at] === step) || place.every((step, at) => steps[at] === step);
          if (!isTouched) expect(textAt(edited, place)).toBe(textAt(text, place));
        }
      }),
      { seed: 23, numRuns: 3000 },
    );
  });

  it("writes any value into any text", () => {
    fc.assert(
      fc.property(tree, finite, (text, other) => {
        const edited = editJson(text, parse(other));
        if (edited !== undefined) expect(isSameJson(parse(edited), parse(other))).toBe(true);
      }),
      { seed: 23, numRuns: 3000 },
    );
  });
});
