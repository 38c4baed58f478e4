import { describe, expect, test } from "vitest";
import type { JsonSchema } from "#shared/json";
import { firstAid } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import type { ProofInput } from "./proof.ts";
import { prove } from "./prove.ts";
import type { Quote } from "./second-reading.ts";

/** Each sentence of a message is in the repair, or the repair goes to a person. */

const OBJECTIONS = {
  type: "object",
  additionalProperties: false,
  required: ["objections"],
  properties: { objections: { type: "array", items: { type: "string" } } },
};
const DECISION = {
  type: "object",
  additionalProperties: false,
  properties: {
    decision: { enum: ["accept", "reject"], default: "accept" },
    note: { anyOf: [{ type: "string" }, { type: "null" }] },
  },
};
const ORDER = {
  type: "object",
  additionalProperties: false,
  required: ["order_id", "amount", "currency"],
  properties: {
    order_id: { type: "string" },
    amount: { type: "number" },
    currency: { enum: ["EUR", "USD"] },
    lines: { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } },
  },
};

function codesOf(
  text: string,
  repaired: JsonValue,
  more: Partial<ProofInput> & { readonly schema: JsonSchema },
): string[] {
  const proof = prove({ original: { text }, repaired, sources: {}, procedure: "model", ...more });
  return [...new Set(proof.objections.map(({ code }) => code))];
}

const ONE = "I object to claim 1, because it is false.";
const TWO = `${ONE} I object to claim 2 as well.`;

describe("a lie about prose", () => {
  const LIES: readonly (readonly [string, string, JsonValue, JsonSchema])[] = [
    ["one objection, emptied", ONE, { objections: [] }, OBJECTIONS],
    ["two, emptied", TWO, { objections: [] }, OBJECTIONS],
    ["two, one kept", TWO, { objections: ["claim 1"] }, OBJECTIONS],
    ["a rejection, become the default", "I reject this.", { decision: "accept" }, DECISION],
    ["a rejection, left out", "I reject this.", {}, DECISION],
    ["a note, become null", "note: the customer died on Monday", { note: null }, DECISION],
    ["a note in data, become null", '{"note": "the customer died",}', { note: null }, DECISION],
    ["an objection under another name", '{"objection": "claim 1"}', { objections: [] }, OBJECTIONS],
    ["an objection beside data", `${ONE}\n{"objections": [],}`, { objections: [] }, OBJECTIONS],
    ["a comment within data", '{"objections": [] // but claim 1 is false\n}', { objections: [] }, OBJECTIONS],
    ["a word of consent", "Sure.", { decision: "accept" }, DECISION],
    ["in another script", "我反对第一点。", { objections: [] }, OBJECTIONS],
  ];

  describe.each(["recipe", "first_aid", "model"] as const)("by %s", (procedure) => {
    test.each(LIES)("%s", (_, text, lie, schema) => {
      const quotes: Quote[] = [
        { path: "/objections", text: ONE },
        { path: "/decision", text },
        { path: null, text },
      ];
      // The worst case: a second reader that tells the same lie.
      const second = { value: lie, quotes };
      expect(
        codesOf(text, lie, { schema, procedure, ...(procedure === "model" ? { quotes, second } : {}) }),
      ).not.toEqual([]);
    });
  });

  test("goes to a person where the second reader reads otherwise", () => {
    const text = "Ann Lee pays. The money goes to Bob Smith.";
    const schema = { type: "object", properties: { payer: { type: "string" }, payee: { type: "string" } } };
    const [payer, payee] = ["Ann Lee", "Bob Smith"];
    const quotes = [
      { path: "/payer", text: "Ann Lee pays." },
      { path: "/payee", text: "The money goes to Bob Smith." },
    ];
    const second = { value: { payer, payee }, quotes };
    expect(codesOf(text, { payer, payee }, { schema, quotes, second })).toEqual([]);
    expect(codesOf(text, { payer: payee, payee: payer }, { schema, quotes, second })).toContain("unread");
    expect(codesOf(text, { payer, payee }, { schema, quotes })).toEqual(["unread", "unaccounted"]);
    const wide = [{ path: "/payer", text }];
    expect(
      codesOf(text, { payer, payee }, { schema, quotes, second: { ...second, quotes: wide } }),
    ).toContain("unaccounted");
  });
});

describe("an honest repair", () => {
  test.each(["model", "first_aid", "recipe"] as const)(
    "of lines of names and values passes as they stand (%s)",
    (procedure) => {
      const text = "order_id: A-17\namount: 40\ncurrency: EUR";
      const whole = { order_id: "A-17", amount: 40, currency: "EUR" };
      expect(codesOf(text, whole, { schema: ORDER, procedure })).toEqual([]);
    },
  );

  test.each([
    ["No objections.", OBJECTIONS, { objections: [] }],
    ["objections: none", OBJECTIONS, { objections: [] }],
    ["note: none", DECISION, { note: null }],
  ])("says that there is nothing where the text does: %s", (text, schema, value) => {
    expect(codesOf(text, value, { schema })).toEqual([]);
  });

  test.each([
    'Sure! Here is the corrected JSON:\n```json\n{"order_id": "A-17", "amount": 40, "currency": "EUR",}\n```\nLet me know if you need anything else.',
    `{order_id: 'A-17', "amount": "40", "currency": "eur"}`,
    "<think>Is it dollars? No.</think>\norder_id: A-17\namount: 40\ncurrency: EUR",
  ])("passes with frames around it: %s", (text) => {
    const aided = firstAid(text, ORDER);
    expect(
      aided.ok && codesOf(text, aided.value, { schema: ORDER, procedure: "first_aid", steps: aided.notes }),
    ).toEqual([]);
  });

  test("passes with a remark that two readers call one, where the contract has no place left for it", () => {
    const text = 'Le voici :\n{"order_id": "A-17", "amount": 40, "currency": "EUR",}';
    const { lines: _, ...properties } = ORDER.properties;
    const value = { order_id: "A-17", amount: 40, currency: "EUR" };
    const quotes = [{ path: null, text: "Le voici :" }];
    const second = { value, quotes };
    expect(codesOf(text, value, { schema: { ...ORDER, properties }, quotes, second })).toEqual([]);
    expect(codesOf(text, value, { schema: ORDER, quotes, second })).toEqual(["unaccounted"]);
  });
});

describe("a text that ends too early", () => {
  const rows = { type: "array", items: ORDER };
  const row = '{"order_id": "A-1", "amount": 4, "currency": "EUR", "lines": []}';
  const CUT: readonly (readonly [string, string, JsonSchema])[] = [
    ["a list between its elements", `[${row}, ${row}`, rows],
    [
      "a list in an object",
      `{"order_id": "A-1", "amount": 4, "currency": "EUR", "lines": [{"sku": "S"}`,
      ORDER,
    ],
    ["an object that may have more members", '{"order_id": "A-1", "amount": 4, "currency": "EUR"', ORDER],
    ["a list in a fence", `\`\`\`json\n[${row},\n${row}\n\`\`\``, rows],
  ];

  test.each(CUT)("is not proved: %s", (_, text, schema) => {
    const aided = firstAid(text, schema);
    if (!aided.ok) throw new Error(aided.reason);
    for (const procedure of ["first_aid", "recipe", "model"] as const) {
      const about = { schema, procedure, steps: aided.notes, second: { value: aided.value, quotes: [] } };
      expect(codesOf(text, aided.value, about)).toContain("cut");
      expect(codesOf(text, aided.value, { ...about, ending: "whole" })).toEqual([]);
    }
  });

  test("is proved where the object has every member that its contract declares", () => {
    const aided = firstAid(row.slice(0, -1), ORDER);
    expect(
      aided.ok &&
        codesOf(row.slice(0, -1), aided.value, { schema: ORDER, procedure: "first_aid", steps: aided.notes }),
    ).toEqual([]);
  });

  test("is not proved in prose, or where its producer says so", () => {
    const schema = OBJECTIONS;
    const value = { objections: ["claim 1"] };
    const quotes = [{ path: "/objections/0", text: "I object to claim 1." }];
    const about = { schema, quotes, second: { value, quotes } };
    expect(codesOf("I object to claim 1.", value, about)).toEqual([]);
    expect(codesOf("I object to claim 1.", value, { ...about, ending: "cut" })).toEqual(["cut"]);
    expect(codesOf("I object to claim 1. I also object to", value, about)).toContain("cut");
  });
});
