import { describe, expect, test } from "vitest";
import type { JsonValue } from "#shared/schema";
import { firstAid } from "./index.ts";

const object = (properties: Record<string, unknown>, more: object = {}): Record<string, unknown> => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const number = { type: "number" };
const integer = { type: "integer" };
const text = { type: "string" };

type Row = readonly [name: string, text: string, schema: Record<string, unknown>, expected: JsonValue];

const FITTED: readonly Row[] = [
  ["names in another case", `{"OrderId": "7"}`, object({ order_id: text }), { order_id: "7" }],
  ["a name with accents", `{"prénom": "Zoé"}`, object({ prenom: text }), { prenom: "Zoé" }],
  ["a misspelt name", `{"adress": "x"}`, object({ address: text }), { address: "x" }],
  [
    "a declared alias",
    `{"qty": 2}`,
    object({ quantity: { ...integer, "x-aliases": ["qty"] } }),
    { quantity: 2 },
  ],
  ["a number as text", `{"n": "12.50"}`, object({ n: number }), { n: 12.5 }],
  ["grouped thousands with decimals", `{"n": "1,234.50"}`, object({ n: number }), { n: 1234.5 }],
  ["grouped thousands for an integer", `{"n": "12,111"}`, object({ n: integer }), { n: 12111 }],
  ["a decimal comma that can be nothing else", `{"n": "12,5"}`, object({ n: number }), { n: 12.5 }],
  [
    "a bound that settles which mark it is",
    `{"n": "1,234"}`,
    object({ n: { ...number, minimum: 100 } }),
    { n: 1234 },
  ],
  ["the declared unit", `{"n": "12 kg"}`, object({ n: { ...number, "x-unit": "kg" } }), { n: 12 }],
  [
    "a percentage on a declared scale",
    `{"n": "87 %"}`,
    object({ n: { ...number, "x-scale": 1 } }),
    { n: 0.87 },
  ],
  ["a fraction of a declared scale", `{"n": "4/5"}`, object({ n: { ...number, "x-scale": 5 } }), { n: 4 }],
  [
    "words for booleans",
    `{"a": "yes", "b": "off", "c": 0}`,
    object({ a: { type: "boolean" }, b: { type: "boolean" }, c: { type: "boolean" } }),
    { a: true, b: false, c: false },
  ],
  ["an identifier with a leading zero", `{"id": 007}`, object({ id: text }), { id: "007" }],
  ["a version with its zero", `{"v": 1.10}`, object({ v: text }), { v: "1.10" }],
  [
    "an identifier of twenty digits",
    `{"id": 12345678901234567890}`,
    object({ id: text }),
    { id: "12345678901234567890" },
  ],
  [
    "a date written out",
    `{"d": "March 5th, 2024"}`,
    object({ d: { type: "string", format: "date" } }),
    { d: "2024-03-05" },
  ],
  [
    "a date with a day above twelve",
    `{"d": "25/12/2025"}`,
    object({ d: { type: "string", format: "date" } }),
    { d: "2025-12-25" },
  ],
  [
    "an enum in another case with punctuation",
    `{"s": "**Approved**."}`,
    object({ s: { enum: ["approved", "denied"] } }),
    { s: "approved" },
  ],
  ["an enum without accents", `{"s": "senor"}`, object({ s: { enum: ["señor", "señora"] } }), { s: "señor" }],
  [
    "an enum in a sentence",
    `{"s": "The request is denied."}`,
    object({ s: { enum: ["approved", "denied"] } }),
    { s: "denied" },
  ],
  [
    "the longer of two enum members",
    `{"s": "very good indeed"}`,
    object({ s: { enum: ["good", "very good"] } }),
    { s: "very good" },
  ],
  [
    "a declared synonym",
    `{"s": "OK"}`,
    object({ s: { enum: ["approved", "denied"], "x-synonyms": { approved: ["ok"] } } }),
    { s: "approved" },
  ],
  [
    "a value that should be a list",
    `{"t": "x"}`,
    object({ t: { type: "array", items: text } }),
    { t: ["x"] },
  ],
  ["a list that should be a value", `{"t": ["x"]}`, object({ t: text }), { t: "x" }],
  ["a wrapper that is unknown", `{"response": {"a": "x"}}`, object({ a: text }), { a: "x" }],
  ["JSON in a string", `{"o": "{\\"a\\": \\"x\\"}"}`, object({ o: object({ a: text }) }), { o: { a: "x" } }],
  ["a double-encoded payload", `"{\\"a\\": \\"x\\"}"`, object({ a: text }), { a: "x" }],
  [
    "a union by its discriminator",
    `{"kind": "Circle", "r": "2"}`,
    {
      oneOf: [
        object({ kind: { const: "circle" }, r: number }),
        object({ kind: { const: "square" }, r: number }),
      ],
    },
    { kind: "circle", r: 2 },
  ],
  [
    "a reference",
    `{"a": {"n": "1"}}`,
    { ...object({ a: { $ref: "#/$defs/n" } }), $defs: { n: object({ n: integer }) } },
    { a: { n: 1 } },
  ],
  [
    "a declared default for a gap",
    `{a: "x"}`,
    object({ a: text, b: { ...integer, default: 3 } }),
    { a: "x", b: 3 },
  ],
  ["extra members of a closed contract", `{"a": "x", "z": 1}`, object({ a: text }), { a: "x" }],
  [
    "a null that says absent",
    `{"a": "x", "b": null}`,
    object({ a: text, b: text }, { required: ["a"] }),
    { a: "x" },
  ],
  ["one of several values by the schema", `{"x": 1} {"a": "y"}`, object({ a: text }), { a: "y" }],
  [
    "several values where a list is asked for",
    `{"a": "x"} {"a": "y"}`,
    { type: "array", items: object({ a: text }) },
    [{ a: "x" }, { a: "y" }],
  ],
  ["plain text for a text", `Hello there`, text, "Hello there"],
  [
    "a prototype name in a closed contract, without it",
    `{"a": "x", "__proto__": {"b": 1}}`,
    object({ a: text }),
    { a: "x" },
  ],
];

type Must = readonly [name: string, text: string, schema: Record<string, unknown>, code: string];

const REFUSED: readonly Must[] = [
  ["a missing required value", `{"a": "x"}`, object({ a: text, b: text }), "missing"],
  ["a missing required list", `{"a": "x"}`, object({ a: text, b: { type: "array" } }), "missing"],
  ["null for a required text", `{"a": null}`, object({ a: text }), "missing"],
  ["a bad item in a list", `[1, "x", 3]`, { type: "array", items: integer }, "mismatch"],
  ["null and a value", `{"a": null, "a": "b"}`, object({ a: text }, { required: [] }), "duplicate_key"],
  ["a value and null", `{"a": "b", "a": null}`, object({ a: text }, { required: [] }), "duplicate_key"],
  ["rounding", `{"n": 2.5}`, object({ n: integer }), "mismatch"],
  ["clamping", `{"n": "11"}`, object({ n: { ...integer, maximum: 10 } }), "mismatch"],
  ["trimming a long text", `{'a': 'abcdef'}`, object({ a: { ...text, maxLength: 3 } }), "mismatch"],
  ["one comma, decimals possible", `{"n": "1,234"}`, object({ n: number }), "ambiguous"],
  ["one point before three digits", `{"n": "1.234"}`, object({ n: number }), "ambiguous"],
  ["a fraction without a scale", `{"n": "4/5"}`, object({ n: number }), "mismatch"],
  ["a percentage without a scale", `{"n": "87 %"}`, object({ n: number }), "mismatch"],
  ["a unit of another kind", `{"n": "12 kg"}`, object({ n: { ...number, "x-unit": "km" } }), "mismatch"],
  ["another currency", `{"n": "12 USD"}`, object({ n: { ...number, "x-unit": "EUR" } }), "mismatch"],
  [
    "a day and month that could be swapped",
    `{"d": "03/04/2025"}`,
    object({ d: { type: "string", format: "date" } }),
    "ambiguous",
  ],
  [
    "a time without a zone",
    `{"d": "2024-01-02 10:00:00"}`,
    object({ d: { type: "string", format: "date-time" } }),
    "mismatch",
  ],
  [
    "two members of an enum",
    `{"s": "approved or denied"}`,
    object({ s: { enum: ["approved", "denied"] } }),
    "ambiguous",
  ],
  ["a negated member", `{"s": "not approved"}`, object({ s: { enum: ["approved", "denied"] } }), "mismatch"],
  ["a related word", `{"s": "accepted"}`, object({ s: { enum: ["approved", "denied"] } }), "mismatch"],
  [
    "an article that spells a member",
    `{"s": "It is a tie"}`,
    object({ s: { enum: ["A", "B"] } }),
    "mismatch",
  ],
  ["an error report in a wrapper", `{"error": {"a": "x"}}`, object({ a: text }), "missing"],
  ["an object as the text of another", `{"wrong": 1}`, object({ response: text }), "missing"],
  ["two different answers", `{"a": "x"} or {"a": "y"}`, object({ a: text }), "ambiguous"],
  ["names that differ by a digit", `{"address1": "x"}`, object({ address2: text }), "missing"],
  ["names that mean opposite parties", `{"payee": "x"}`, object({ payer: text }), "missing"],
  [
    "a default in place of a bad value",
    `{"n": "many"}`,
    object({ n: { ...integer, default: 1 } }),
    "mismatch",
  ],
  ["a locked number given as text", `{"n": "12"}`, object({ n: { ...integer, "x-locked": true } }), "locked"],
  ["more digits than a number holds", `{"n": "12345678901234567890"}`, object({ n: integer }), "mismatch"],
  [
    "a comma list for a list of texts",
    `{"t": "a, b"}`,
    object({ t: { type: "array", items: text } }),
    "ambiguous",
  ],
  [
    "a prototype name in an open contract",
    `{a: "x", "__proto__": 1}`,
    object({ a: text }, { additionalProperties: true }),
    "unsafe_name",
  ],
  ["an empty text for a number", `{"n": ""}`, object({ n: { type: ["number", "null"] } }), "mismatch"],
];

describe("alignment", () => {
  test.each(FITTED)("fits %s", (_, input, schema, value) => {
    expect(firstAid(input, schema)).toMatchObject({ ok: true, value });
  });

  test.each(REFUSED)("refuses %s", (_, input, schema, code) => {
    expect(firstAid(input, schema)).toMatchObject({ ok: false, code });
  });

  test("leaves valid values alone, however odd they look", () => {
    const odd = `{"s": " **yes** ", "n": -0.0, "u": ["", null]}`;
    expect(firstAid(odd, { type: "object" })).toEqual({
      ok: true,
      value: { s: " **yes** ", n: -0, u: ["", null] },
      cost: 0,
      notes: [],
      unused: [],
    });
  });

  test("mends the syntax around a locked value without changing it", () => {
    const schema = object({ amount: { ...number, "x-locked": true } });
    expect(firstAid("{'amount': 12.5,}", schema)).toMatchObject({ ok: true, value: { amount: 12.5 } });
  });

  test("names what it left out", () => {
    const result = firstAid(`{"a": "x", "z": 1}`, object({ a: text }));
    expect(result.ok && result.unused).toEqual(["/z"]);
  });

  test("shows both readings of an ambiguity", () => {
    const result = firstAid(`{"a": "x"} or {"a": "y"}`, object({ a: text }));
    expect(!result.ok && result.candidates).toEqual([{ a: "x" }, { a: "y" }]);
  });

  test("charges a step at every item of a list once", () => {
    const rows = JSON.stringify(Array.from({ length: 500 }, () => ({ n: "1" })));
    expect(firstAid(rows, { type: "array", items: object({ n: integer }) })).toMatchObject({
      ok: true,
      cost: 1,
    });
  });
});
