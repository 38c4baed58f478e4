import { describe, expect, test } from "vitest";
import type { JsonValue } from "#shared/schema";
import { firstAid } from "./index.ts";

const MENDED: readonly (readonly [name: string, text: string, value: JsonValue])[] = [
  ["trailing commas", `{"a": [1, 2,], }`, { a: [1, 2] }],
  ["comments of three kinds", `{"a": 1, // one\n /* two */ "b": 2 # three\n}`, { a: 1, b: 2 }],
  ["single quotes with an apostrophe inside", `{'a': 'it's late', 'b': 'x'}`, { a: "it's late", b: "x" }],
  ["unquoted names and words", `{name: Ada Byron, city: London}`, { name: "Ada Byron", city: "London" }],
  ["typographic quotes", `{“a”: “b”}`, { a: "b" }],
  ["Python literals and tuples", `{'a': True, 'b': None, 'c': (1, 2)}`, { a: true, b: null, c: [1, 2] }],
  ["unescaped quotes", `{"a": "she said "no" twice", "b": 1}`, { a: 'she said "no" twice', b: 1 }],
  [
    "an unescaped quote before a comma",
    `{"a": "the "big", red one", "b": 1}`,
    { a: 'the "big", red one', b: 1 },
  ],
  ["an inch mark", `{"size":"7" tablet", "n": 2}`, { size: '7" tablet', n: 2 }],
  [
    "an inline object in a string",
    `{"q": "send {"id": "7"} twice", "n": 1}`,
    { q: 'send {"id": "7"} twice', n: 1 },
  ],
  ["raw line breaks in strings", `{"a": "one\ntwo"}`, { a: "one\ntwo" }],
  [
    "a missing end quote before the next name",
    `{"a": "one, two, "b": "three"}`,
    { a: "one, two", b: "three" },
  ],
  ["a missing end quote before a line break", `{"a": "one\n"b": "two"}`, { a: "one", b: "two" }],
  ["a missing end quote in a list", `["one, "two", "three"]`, ["one", "two", "three"]],
  ["a missing end quote before the closers", `{"a": ["one two]}`, { a: ["one two"] }],
  ["a missing start quote", `{"a": one", "b": 2}`, { a: "one", b: 2 }],
  ["missing commas", `{"a": 1 "b": "x" "c": [1 2 3]}`, { a: 1, b: "x", c: [1, 2, 3] }],
  ["missing commas between lines", `{"a": "x"\n"b": "y"\n}`, { a: "x", b: "y" }],
  ["missing colons", `{"a" 1, 'b' 'x'}`, { a: 1, b: "x" }],
  ["an arrow for a colon", `{"a" => 1}`, { a: 1 }],
  ["missing closers", `{"a": {"b": [1, 2]`, { a: { b: [1, 2] } }],
  ["a closer of the wrong kind", `{"a": [1, 2}, "b": 3}`, { a: [1, 2], b: 3 }],
  ["closers too many", `{"a": 1}}`, { a: 1 }],
  ["an object closed too early", `{"a": "x"}, "b": "y"}`, { a: "x", b: "y" }],
  ["missing outer braces", `"a": 1, "b": "x"`, { a: 1, b: "x" }],
  ["a missing brace in a list", `["a": "x", "b": "y"]`, [{ a: "x", b: "y" }]],
  ["a fence with an info line", 'Here:\n```json\n{"a": 1}\n```\nDone.', { a: 1 }],
  ["a fence that is never closed", '```json\n{"a": 1}', { a: 1 }],
  ["a fence inside a string inside a fence", '```json\n{"a": "```x```"}\n```', { a: "```x```" }],
  ["prose around", `Sure, this is it: {"a": [1]} I hope it helps!`, { a: [1] }],
  ["a brace span in the prose before", `{Note: sorted by date} Result: {"a": "x"}`, { a: "x" }],
  ["reasoning before the answer", `<think>maybe {"a": 2}?</think>{"a": 1}`, { a: 1 }],
  [
    "calls of other languages",
    `{"_id": ObjectId("5f1"), "at": ISODate('2024-01-02')}`,
    { _id: "5f1", at: "2024-01-02" },
  ],
  ["JSONP", `callback({"a": 1});`, { a: 1 }],
  [
    "numbers as other languages write them",
    `{"a": 1_000, "b": .5, "c": +3, "d": 0x1F}`,
    { a: 1000, b: 0.5, c: 3, d: 31 },
  ],
  ["identifiers with leading zeros", `{"zip": 01234}`, { zip: "01234" }],
  ["string concatenation", `{"a": "x" +\n "y"}`, { a: "xy" }],
  ["string prefixes", `{"a": r"x", "b": b'y'}`, { a: "x", b: "y" }],
  ["a regular expression with its backslashes", String.raw`{"re": "\d+\w"}`, { re: String.raw`\d+\w` }],
  ["a Windows path", String.raw`{"path": "C:\temp\new",}`, { path: String.raw`C:\temp\new` }],
  ["escaped JSON", String.raw`{\"a\": \"b\"}`, { a: "b" }],
  ["values side by side as a list", `{"a": 1}\n{"a": 2}`, [{ a: 1 }, { a: 2 }]],
  [
    "a URL without quotes",
    `{link: https://example.org/a?b=c, n: 1}`,
    { link: "https://example.org/a?b=c", n: 1 },
  ],
];

const REFUSED: readonly (readonly [name: string, text: string, code: string])[] = [
  ["a name without colon and value", `{"a": "b", "c"}`, "missing"],
  ["prose", "I cannot help with that.", "no_json"],
  ["nothing", "   ", "no_json"],
  ["one name with two values", `{"a": 1, "a": 2}`, "duplicate_key"],
  ["a prototype name", `{"__proto__": {"admin": true}}`, "unsafe_name"],
  ["two values in prose", `First {"a": 1} and then {"a": 2} too`, "ambiguous"],
];

const CUT: readonly (readonly [name: string, text: string])[] = [
  ["a string", `{"a": "some te`],
  ["a number", `{"a": 12`],
  ["a list after a comma", `{"a": [1, 2,`],
  ["an object after a comma", `{"a": 1,`],
  ["a name", `{"a": 1, "b`],
  ["an escape", String.raw`{"a": "x\u00`],
  ["a list before its first item", `{"a": [`],
  ["a list with an ellipsis", `[1, 2, ...]`],
];

describe("syntax", () => {
  test.each(MENDED)("mends %s", (_, text, value) => {
    const result = firstAid(text, undefined, { cut: "refuse" });
    expect(result).toMatchObject({ ok: true, value });
    expect(result.notes.length).toBeGreaterThan(0);
  });

  test.each(REFUSED)("refuses %s", (_, text, code) => {
    expect(firstAid(text)).toMatchObject({ ok: false, code });
  });

  test.each(CUT)(
    "refuses a text that is cut inside %s when asked to, and always under a schema",
    (_, text) => {
      expect(firstAid(text, undefined, { cut: "refuse" })).toMatchObject({ ok: false, code: "cut" });
      expect(firstAid(text, {})).toMatchObject({ ok: false, code: "cut" });
    },
  );

  test("keeps what is there of a cut text without a schema, and says so", () => {
    const result = firstAid(`{"a": "some te`);
    expect(result).toMatchObject({ ok: true, value: { a: "some te" } });
    expect(result.notes.map((note) => note.step)).toContain("cut_string");
  });

  test.each([
    `Draft: {"a": 1}\nFinal answer: {"a": 2}`,
    `{"a": """x"""}`,
    '{"a": ```js\nx()\n```}',
    `{"a": {1, 2}}`,
  ])("refuses %s, which it does not read", (text) => {
    expect(firstAid(text)).toMatchObject({ ok: false });
  });

  test.each(["1e999", "[-1e999]", `{"count": 1e999,}`])(
    "refuses %s, which no number can hold and JSON would write as null",
    (text) => {
      expect(firstAid(text)).toMatchObject({ ok: false, code: "mismatch" });
      expect(firstAid(text, { type: ["number", "array", "object"] })).toMatchObject({ ok: false });
    },
  );
});
