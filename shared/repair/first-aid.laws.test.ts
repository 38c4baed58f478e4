import fc from "fast-check";
import { describe, expect, test } from "vitest";
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
    // The aim is 200 ms. Counted is this process's own work, not the clock, and with room for a cold start: without the
    // work limit these take minutes.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1000).toBeLessThan(5000);
  });

  test("refuses a text that is too long, and nesting that is too deep", () => {
    expect(firstAid("x".repeat(20), SCHEMA, { charsMax: 19 })).toMatchObject({
      ok: false,
      code: "too_large",
    });
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
