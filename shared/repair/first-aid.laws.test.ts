import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "#shared/json";
import { canonical, isObject, validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { firstAid, parseTolerant } from "./index.ts";

const SCHEMA = {
  type: "object",
  properties: {
    id: { type: "string" },
    n: { type: "integer" },
    kind: { enum: ["open", "closed"] },
    tags: { type: "array", items: { type: "string" } },
    inner: {
      anyOf: [
        { type: "object", properties: { ok: { type: "boolean" } }, required: ["ok"] },
        { type: "null" },
      ],
    },
  },
  required: ["id"],
  additionalProperties: false,
} as const;

const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes("__proto__"));
const fragments = fc.constantFrom(
  ..."{}[]\"':,/*#\\ \n`".split(""),
  "null",
  "True",
  "id",
  '"id":',
  "12",
  "1,234",
  "```",
  "...",
  "\u0000",
  "“",
  "é",
);
const hostile = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.array(fragments, { maxLength: 60 }).map((parts) => parts.join("")),
);

function names(value: JsonValue): string[] {
  if (Array.isArray(value)) return value.flatMap(names);
  return isObject(value) ? Object.keys(value).flatMap((key) => [key, ...names(value[key] ?? null)]) : [];
}

describe("laws of first aid", () => {
  test("returns strictly valid JSON as it is, at no cost", () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(firstAid(text)).toEqual({ ok: true, value: JSON.parse(text), cost: 0, notes: [], unused: [] });
        expect(parseTolerant(text)).toEqual([{ value: JSON.parse(text), cost: 0, notes: [] }]);
      }),
    );
  });

  test.each(['{"columns":["a"],"rows":[[1]]}', '{"name":"save","input":{"a":1}}', '{"a":[1,2],"b":[3,4]}'])(
    "gives valid JSON one reading without a schema, where a schema may find a table or a call in it: %s",
    (text) => {
      expect(parseTolerant(text)).toEqual([{ value: JSON.parse(text), cost: 0, notes: [] }]);
    },
  );

  test("is total and deterministic on any text, and what it gives satisfies the schema", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const result = firstAid(text, SCHEMA);
        expect(firstAid(text, SCHEMA)).toEqual(result);
        if (result.ok) expect(validate(result.value, SCHEMA)).toEqual([]);
        expect(typeof firstAid(text).ok).toBe("boolean");
      }),
      { numRuns: 500 },
    );
  });

  test("is idempotent: its own answer needs no first aid", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const first = firstAid(text);
        fc.pre(first.ok);
        const again = firstAid(JSON.stringify(first.value));
        expect(again).toMatchObject({ ok: true, cost: 0 });
        expect(again.ok && canonical(again.value)).toBe(
          canonical(JSON.parse(JSON.stringify(first.value)) as JsonValue),
        );
      }),
      { numRuns: 500 },
    );
  });

  test("never lets a prototype name through or touches a prototype", () => {
    fc.assert(
      fc.property(hostile, (noise) => {
        for (const text of [
          `{"__proto__": {"x": 1}, "id": "a"${noise}`,
          `${noise}{__proto__: {x: 1}, id: 'a'}`,
        ]) {
          for (const result of [firstAid(text), firstAid(text, SCHEMA)])
            if (result.ok) expect(names(result.value)).not.toContain("__proto__");
        }
        expect(Object.keys(Object.prototype)).toEqual([]);
      }),
    );
  });

  test("mends a valid value after one harmless slip", () => {
    const slips: ((text: string) => string)[] = [
      (text) => `Here you are:\n\`\`\`json\n${text}\n\`\`\`\nAnything else?`,
      (text) => `${text.slice(0, -1)},}`,
      (text) => text.slice(0, -1),
      (text) => `/* the answer */ ${text}`,
      (text) => text.replaceAll(/"(\w+)":/g, "$1:"),
    ];
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    const value = fc.record({
      id: word,
      tags: fc.array(word, { minLength: 1, maxLength: 4 }),
      kind: fc.constantFrom("open", "closed"),
    });
    fc.assert(
      fc.property(value, fc.constantFrom(...slips), (wanted, slip) => {
        expect(firstAid(slip(JSON.stringify(wanted)), SCHEMA)).toMatchObject({ ok: true, value: wanted });
      }),
    );
  });

  test.each([
    "{",
    "[",
    '{"a":"',
    '"x}x',
    "```",
    "a{b ",
    "[1,",
    "'",
    "\\",
    "{'a','",
    '{"a": "x}x}',
    '"""',
    '\n```json\n{"a":',
    "(((",
    '{"a":"b" ',
    ",,,",
  ])("gives up in bounded work on a megabyte of %s", (piece) => {
    const text = piece.repeat(Math.ceil(1_000_000 / piece.length));
    const before = process.cpuUsage();
    firstAid(text, SCHEMA);
    // The aim is 200 ms of this process's own work, with room for a cold start: unlimited these take minutes.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(5000);
  });

  test("refuses a text that is too long, and nesting that is too deep", () => {
    expect(firstAid("x".repeat(9), SCHEMA, { charsMax: 8 })).toMatchObject({ ok: false, code: "too_large" });
    expect(firstAid("[".repeat(200) + "]".repeat(200))).toMatchObject({ ok: false, code: "too_deep" });
    expect(firstAid(`${"[".repeat(10_000)},`)).toMatchObject({ ok: false, code: "too_deep" });
  });

  test("survives schemas that refer to themselves", () => {
    const tree = {
      type: "object",
      properties: { n: { type: "integer" }, next: { $ref: "#" } },
      required: ["n"],
    };
    expect(firstAid(`{n: "1", next: {n: "2"}}`, tree)).toMatchObject({
      ok: true,
      value: { n: 1, next: { n: 2 } },
    });
    expect(firstAid(`{"a": 1}`, { $ref: "#" }).ok).toBe(false);
    expect(firstAid(`{"a": 1}`, { anyOf: [{ $ref: "#" }] }).ok).toBe(false);
  });
});

/** Every mark of a document dropped or doubled, one at a time: the document, or a refusal. */

const DOCUMENTS: readonly JsonValue[] = [
  {
    id: "A-17",
    count: 3,
    ok: true,
    tags: ["red", "dark blue"],
    inner: { city: "Oslo", lat: 59.9, none: null },
    lines: [
      { sku: "x1", qty: 2 },
      { sku: "y, z", qty: 10 },
    ],
  },
  { name: "Ann Lee", note: "He said: go, now (fast)", deep: { a: { b: { c: [true, false] } } }, last: "end" },
  [
    { a: 1, b: "t: u" },
    { a: 2, b: "{x}" },
    { a: 3, b: "[y]" },
  ],
  { title: "It's 5 o'clock", price: 12.5, urls: ["https://x.org/a?b=1,2", "http://y"], empty: {}, last: "z" },
];

function contractOf(value: JsonValue): JsonSchema {
  if (value === null) return { type: "null" };
  if (Array.isArray(value)) return { type: "array", items: contractOf(value[0] ?? null) };
  if (typeof value !== "object") return { type: typeof value };
  const properties = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, contractOf(one ?? null)]),
  );
  return { type: "object", properties, required: Object.keys(value), additionalProperties: false };
}

/** Indexes of quotation marks, brackets, braces, commas and colons that are no part of a text. */
function marksOf(text: string): number[] {
  let isInString = false;
  return text.split("").flatMap((char, at) => {
    if (char === '"') isInString = !isInString;
    return char === '"' || (!isInString && "{}[],:".includes(char)) ? [at] : [];
  });
}

interface Slip {
  readonly text: string;
  readonly right: JsonValue;
}

function slipsOf(edit: (mark: string) => string): Slip[] {
  return DOCUMENTS.flatMap((right) =>
    [undefined, 2].flatMap((indent) => {
      const text = JSON.stringify(right, null, indent);
      return marksOf(text).map((at) => ({
        text: text.slice(0, at) + edit(text[at] ?? "") + text.slice(at + 1),
        right,
      }));
    }),
  );
}

function shareRead(slips: readonly Slip[], isContract: boolean): number {
  let read = 0;
  for (const { text, right } of slips) {
    const result = firstAid(text, isContract ? contractOf(right) : undefined);
    if (result.ok && isDeepStrictEqual(result.value, right)) read += 1;
    else if (isContract) expect(result.ok && result.value, text).toBe(false);
  }
  return read / slips.length;
}

describe("one mark", () => {
  test.each([
    { name: "dropped", edit: () => "", least: 0.88, leastWithout: 0.84 },
    { name: "doubled", edit: (mark: string) => mark + mark, least: 0.9, leastWithout: 0.8 },
  ])("$name gives the document under its contract, or a refusal", ({ edit, least, leastWithout }) => {
    const slips = slipsOf(edit);
    expect(shareRead(slips, true)).toBeGreaterThanOrEqual(least);
    expect(shareRead(slips, false)).toBeGreaterThanOrEqual(leastWithout);
  });
});
