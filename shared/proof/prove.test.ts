import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstAid } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import type { ProofInput } from "./proof.ts";
import { prove } from "./prove.ts";
import { codesOf, proving } from "./testing/prove-for-test.ts";

const SCHEMA = {
  type: "object",
  properties: {
    order_id: { type: "string" },
    amount: { type: "number", "x-locked": true },
    recipient: { type: "string", "x-locked": true, "x-two-person": true },
    quantity: { type: "integer" },
    urgent: { type: "boolean" },
    reason: { enum: ["damaged", "late", "other"] },
    currency: { type: "string", default: "EUR" },
    due: { type: "string", format: "date" },
    summary: { type: "string", "x-surgeon-writes": true },
    items: { type: "array", items: { type: "string" } },
  },
  additionalProperties: false,
};

const proofOf = proving(SCHEMA);
const codes = codesOf;

describe("what a contract fixes", () => {
  const kind = (of: string, more: object = {}): object => ({
    type: "object",
    properties: { kind: { const: of }, ...more },
    required: ["kind", ...Object.keys(more)],
  });
  const verdict = { anyOf: [kind("accept"), kind("reject", { reason: { type: "string" } })] };
  const schema = {
    type: "object",
    properties: {
      claim: { type: "string" },
      verdict,
      approved: { const: true },
      receipt: { anyOf: [{ type: "object", properties: { seen: { const: true } } }, { type: "null" }] },
      steps: {
        type: "array",
        items: { anyOf: [kind("pay"), kind("wait"), kind("tell", { text: { type: "string" } })] },
      },
      marks: { type: "array", items: kind("seen") },
      version: { const: 2 },
    },
    required: ["version"],
  };

  test.each([
    ["/verdict/kind", { verdict: { kind: "accept" } }],
    ["/approved", { approved: true }],
    ["/receipt/seen", { receipt: { seen: true } }],
    ["/steps/0/kind", { steps: [{ kind: "pay" }] }],
    ["/marks/0/kind", { marks: [{ kind: "seen" }] }],
  ])("proves no choice that no source makes: %s", (path, added) => {
    const repaired = { claim: "late", version: 2, ...added } as JsonValue;
    for (const procedure of ["model", "recipe"] as const)
      expect(
        codes(proofOf({ claim: "late" }, repaired, { schema, procedure, second: undefined })),
      ).toContainEqual([path, "invented"]);
  });

  test.each([
    ["what the contract asks for", { claim: "late" }, {}],
    [
      "an alternative by what else it holds",
      { reason: "late" },
      { verdict: { kind: "reject", reason: "late" } },
    ],
    ["one whose word is damaged", { verdict: { kind: "Accept" } }, { verdict: { kind: "accept" } }],
    ["one under another name", { decision: "accept" }, { verdict: { kind: "accept" } }],
    ["an element that moved", { data: [{ kind: "seen" }] }, { marks: [{ kind: "seen" }] }],
  ])("proves %s", (_what, original, repaired) => {
    const { claim } = original as { claim?: string };
    const whole = { ...(claim === undefined ? {} : { claim }), version: 2, ...repaired } as JsonValue;
    const proof = proofOf(original, whole, { schema, procedure: "recipe" });
    expect(proof.objections.filter(({ code }) => code === "invented")).toEqual([]);
  });
});

describe("the proof of an answer that something carries", () => {
  const CARRIERS: readonly (readonly [string, string])[] = [
    ["a tool call", JSON.stringify({ name: "save", arguments: '{"order_id":"A-1","urgent":true}' })],
    ["lines of names and values", "order_id: A-1\nurgent: true"],
    ["a table", "| order_id | urgent |\n|---|---|\n| A-1 | true |"],
  ];

  test.each(CARRIERS)("passes for first aid: %s", (what, text) => {
    const answer = { order_id: "A-1", urgent: true };
    const repaired = what === "a table" ? [answer] : answer;
    const schema = what === "a table" ? { type: "array", items: SCHEMA } : SCHEMA;
    expect(codes(proofOf(text, repaired, { schema, procedure: "first_aid" }))).toEqual([]);
  });

  test("keeps the difference from the text's cheapest reading, to which the console applies it", () => {
    const text = JSON.stringify({ name: "save", arguments: '{"order_id":"A-1","urgent":true}' });
    const proof = proofOf(text, { order_id: "A-1", urgent: true }, { procedure: "first_aid" });
    expect(proof.passes).toBe(true);
    expect(proof.diff.map(({ op, path }) => `${op} ${path}`).toSorted()).toEqual([
      "add /order_id",
      "add /urgent",
      "remove /arguments",
      "remove /name",
    ]);
  });

  test("fails where the carried answer has another value, or a locked one", () => {
    const text = JSON.stringify({ name: "save", arguments: '{"order_id":"A-1","urgent":true,"amount":5}' });
    const first = { procedure: "first_aid" } as const;
    expect(proofOf(text, { order_id: "A-1", urgent: false, amount: 5 }, first).passes).toBe(false);
    expect(proofOf(text, { order_id: "A-1", urgent: true, amount: 6 }, first).passes).toBe(false);
    expect(proofOf(text, { order_id: "A-1", urgent: true }, first).passes).toBe(false);
  });
});

describe("the evidence of first aid's repair", () => {
  const aid = { procedure: "first_aid" } as const;

  test("proves what no reading without the contract shows: an answer in prose", () => {
    const said = { schema: { enum: ["damaged", "late"] }, ...aid };
    expect(codes(proofOf("The answer is **late**.", "late", said))).toEqual([]);
    expect(codes(proofOf("The answer is **late**.", "damaged", said))).toEqual([
      ["", "invented"],
      ["", "unaccounted"],
    ]);
  });

  test("forbids a repair that leaves data for a declared field out", () => {
    const text = `quantity: 3\n\n{"order_id": "A-1", 'reason': "late"}`;
    const whole = { order_id: "A-1", reason: "late" };
    expect(codes(proofOf(text, whole, aid))).toContainEqual(["", "dropped"]);
    expect(codes(proofOf(text.replace("3", "none"), whole, aid))).not.toContainEqual(["", "dropped"]);
  });

  test("forbids another value for a field in the midst of the answer, and no draft before it", () => {
    const cut = `[{"order_id": "A-1", "reason": "la\n<output truncated>\n"reason": "damaged", "quantity": 3}]`;
    const schema = { type: "array", items: SCHEMA };
    const repaired = [{ order_id: "A-1", reason: "late", quantity: 3 }];
    expect(codes(proofOf(cut, repaired, { schema, ...aid }))).toContainEqual(["", "dropped"]);
    const draft = `Draft: {"order_id": "A-0"}\nFinal answer: {'order_id': "A-1"}`;
    expect(codes(proofOf(draft, { order_id: "A-1" }, aid))).not.toContainEqual(["", "dropped"]);
  });

  test("comes with the proof, with the steps as rules, and with no other procedure's", () => {
    const aided = firstAid("{'quantity': '12',}", SCHEMA);
    const proof = proofOf("{'quantity': '12',}", { quantity: 12 }, { ...aid, steps: aided.notes });
    expect(proof.evidence?.values).toEqual([
      { path: "/quantity", rules: ["text_to_number"], spans: [{ start: 14, end: 16 }] },
    ]);
    expect(proofOf("{'quantity': '12',}", { quantity: 12 })).not.toHaveProperty("evidence");
  });
});

describe("the proof of a recipe that reads words", () => {
  const words = new Map([["/reason", "kaputt"]]);
  const recipe = { procedure: "recipe", words } as const;

  test("takes a member for a word of the original that the recipe reads so", () => {
    const proof = proofOf({ grund: "kaputt" }, { reason: "damaged" }, recipe);
    expect(proof.provenance).toEqual([
      { path: "/reason", kind: "coerced", detail: expect.stringContaining("recipe") },
    ]);
    expect(proof.passes).toBe(true);
  });

  const REFUSED: readonly (readonly [string, JsonValue, JsonValue, Partial<ProofInput>])[] = [
    ["a word that the original does not hold", { reason: "alt" }, { reason: "damaged" }, recipe],
    [
      "a word of nothing",
      { reason: "" },
      { reason: "late" },
      { ...recipe, words: new Map([["/reason", ""]]) },
    ],
    [
      "a word that is another member",
      { reason: "late" },
      { reason: "damaged" },
      { ...recipe, words: new Map([["/reason", "late"]]) },
    ],
    [
      "a place where the contract lists nothing",
      { order_id: "x-9" },
      { order_id: "A-1" },
      { ...recipe, words: new Map([["/order_id", "x-9"]]) },
    ],
    [
      "the words of anybody else",
      { reason: "kaputt" },
      { reason: "late" },
      { procedure: "first_aid", words },
    ],
  ];
  test.each(REFUSED)("refuses %s", (_, original, repaired, more) => {
    expect(proofOf(original, repaired, more).passes).toBe(false);
  });
});

describe("proof", () => {
  const PROVED: readonly (readonly [name: string, original: JsonValue | string, repaired: JsonValue])[] = [
    ["an unchanged value", { order_id: "A-1" }, { order_id: "A-1" }],
    ["a renamed member", { orderId: "A-1" }, { order_id: "A-1" }],
    ["a number from text", { quantity: "12" }, { quantity: 12 }],
    ["a boolean from a word", { urgent: "yes" }, { urgent: true }],
    ["an enum by its word", { reason: "Damaged!" }, { reason: "damaged" }],
    ["a date written otherwise", { due: "March 5th, 2024" }, { due: "2024-03-05" }],
    ["a default of the contract", {}, { currency: "EUR" }],
    ["a text that the surgeon may write", {}, { summary: "Wants money back" }],
    ["a locked value out of a wrapper", { result: { amount: 12.5 } }, { amount: 12.5 }],
    ["a locked value with its syntax mended", `{'amount': 12.5,}`, { amount: 12.5 }],
    ["an extra member left out", { order_id: "A-1", junk: "x" }, { order_id: "A-1" }],
  ];
  test.each(PROVED)("accepts %s", (_, original, repaired) => {
    expect(codes(proofOf(original, repaired))).toEqual([]);
  });

  const OBJECTED: readonly (readonly [
    name: string,
    original: JsonValue | string,
    repaired: JsonValue,
    objection: [string, string],
  ])[] = [
    ["an invented text", {}, { order_id: "A-1" }, ["/order_id", "invented"]],
    ["an invented number", { quantity: "a dozen" }, { quantity: 12 }, ["/quantity", "invented"]],
    ["a number with other digits", { quantity: "12" }, { quantity: 120 }, ["/quantity", "invented"]],
    ["part of an identifier", { order_id: "A-1234-B" }, { order_id: "1234" }, ["/order_id", "invented"]],
    [
      "an identifier in another case",
      { order_id: 7, items: ["ab-12"] },
      { order_id: "AB-12", items: ["ab-12"] },
      ["/order_id", "invented"],
    ],
    ["an enum member where nothing stands", {}, { reason: "damaged" }, ["/reason", "invented"]],
    [
      "an enum member where another one stands",
      { reason: "late!" },
      { reason: "damaged" },
      ["/reason", "invented"],
    ],
    ["a boolean that nothing says", {}, { urgent: true }, ["/urgent", "invented"]],
    ["a changed locked value", { amount: 12.5 }, { amount: 125 }, ["/amount", "locked"]],
    ["a locked value from elsewhere", { quantity: 5 }, { quantity: 5, amount: 5 }, ["/amount", "locked"]],
    ["a locked value taken away", { amount: 12.5, order_id: "A" }, { order_id: "A" }, ["/amount", "locked"]],
    ["a dropped value", { order_id: "A-1", quantity: 3 }, { order_id: "A-1" }, ["/quantity", "dropped"]],
    ["a shorter list", { items: ["a", "a"] }, { items: ["a"] }, ["/items", "shrunk"]],
    [
      "what the contract does not allow",
      { order_id: "A-1" },
      { order_id: "A-1", more: "A-1" },
      ["/more", "contract"],
    ],
  ];
  test.each(OBJECTED)("objects to %s", (_, original, repaired, objection) => {
    expect(codes(proofOf(original, repaired))).toContainEqual(objection);
  });

  test("accepts an enum that two readings take from what stands there", () => {
    const quotes = [{ path: "/reason", text: "it broke" }];
    const broke = [{ reason: "it broke" }, { reason: "damaged" }] as const;
    expect(codes(proofOf(...broke, { quotes }))).toEqual([]);
    expect(codes(proofOf(...broke))).toEqual([["/reason", "unaccounted"]]);
    const others = [undefined, { value: { reason: "late" }, quotes }, { value: {}, quotes }];
    for (const second of others)
      expect(codes(proofOf(...broke, { quotes, second }))).toContainEqual(["/reason", "unread"]);
  });

  test("accepts values from the query, the history and the task's input, and says from where", () => {
    const sources = {
      original_query: "Refund order A-77 please",
      history: [{ content: "it came 3 days late" }],
      input: { note: "deliver by 2024-03-05" },
    };
    const proof = proofOf({}, { order_id: "A-77", quantity: 3, due: "2024-03-05" }, { sources });
    expect(proof.objections).toEqual([]);
    expect(proof.provenance.map((entry) => entry.kind)).toEqual(["original_query", "history", "input"]);
  });

  test("lets a person write locked fields, with a second person where the contract says so", () => {
    expect(codes(proofOf({ amount: 1 }, { amount: 2 }, { procedure: "person" }))).not.toContainEqual([
      "/amount",
      "locked",
    ]);
    expect(
      codes(proofOf({ recipient: "Ann" }, { recipient: "Bob" }, { procedure: "person" })),
    ).toContainEqual(["/recipient", "second_person"]);
  });

  test("runs the semantic check, also one that throws", () => {
    const check = (): { path: string; code: string; message: string }[] => [
      { path: "/order_id", code: "unknown_order", message: "no such order" },
    ];
    const failing = (): never => {
      throw new TypeError("broken");
    };
    expect(codes(proofOf({ order_id: "A" }, { order_id: "A" }, { check }))).toEqual([
      ["/order_id", "content"],
    ]);
    expect(codes(proofOf({ order_id: "A" }, { order_id: "A" }, { check: failing }))).toEqual([
      ["", "content"],
    ]);
  });

  test("objects to prototype names at any depth", () => {
    const evil = JSON.parse(`{"items": [{"__proto__": {"a": 1}}]}`) as JsonValue;
    expect(codes(proofOf({}, evil))).toContainEqual(["/items/0/__proto__", "prototype"]);
  });

  test("is total, and an untouched valid payload always passes", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const given = JSON.parse(JSON.stringify(value)) as JsonValue;
        fc.pre(!JSON.stringify(given).includes("__proto__"));
        const proof = prove({
          original: { text: JSON.stringify(given), value: given },
          repaired: given,
          schema: {},
          sources: {},
          procedure: "model",
        });
        expect(proof.objections).toEqual([]);
        prove({ original: { text: "x" }, repaired: given, schema: SCHEMA, sources: {}, procedure: "model" });
      }),
    );
  });

  test("proves ten thousand values, each against all, without asking each of all others", () => {
    const rows = Array.from({ length: 2500 }, (_, at) => at);
    const schema = {
      properties: {
        rows: {
          items: {
            properties: {
              name: { type: "string" },
              count: { type: "integer" },
              kind: { enum: ["new", "used"] },
              due: { type: "string", format: "date" },
            },
          },
        },
      },
    };
    const day = (at: number): string => String(1 + (at % 28));
    const original = {
      rows: rows.map((at) => ({
        name: `no ${at}`,
        count: `${at}`,
        kind: "Used!",
        due: `${day(at)} May 2024`,
      })),
    };
    const repaired = {
      rows: rows.map((at) => ({
        name: `no ${at}`,
        count: at,
        kind: "used",
        due: `2024-05-${day(at).padStart(2, "0")}`,
      })),
    };
    const proof = proofOf(original, repaired, { schema, procedure: "first_aid" });
    expect(codes(proof)).toEqual([]);
    expect(proof.provenance).toHaveLength(10_000);
    expect(proof.diff).toHaveLength(7500);
  });

  test("finds each of thousands of texts inside one long source, and none that is not there", () => {
    const rows = Array.from({ length: 3000 }, (_, at) => `item ${at} of the list`);
    const schema = { properties: { rows: { items: { type: "string" } } }, additionalProperties: false };
    const original = { note: rows.join("; ") };
    expect(codes(proofOf(original, { rows }, { schema, procedure: "first_aid" }))).toEqual([]);
    const proof = proofOf(original, { rows: [...rows, "item 3000 of the list"] }, { schema });
    expect(codes(proof)).toEqual([["/rows/3000", "invented"]]);
  });
});
