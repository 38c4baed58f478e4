import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { firstAid } from "#shared/repair";
import type { Note } from "#shared/repair";
import { validate } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import { applyRecipe } from "./apply-recipe.ts";
import { deriveRecipe } from "./derive-recipe.ts";

const ORDER = {
  type: "object",
  properties: {
    order_id: { type: "string" },
    state: { enum: ["open", "closed"], "x-synonyms": { closed: ["done"] } },
    lines: {
      type: "array",
      items: {
        type: "object",
        properties: { sku: { type: "string" }, quantity: { type: "integer" }, gift: { type: "boolean" } },
        required: ["sku", "quantity", "gift"],
        additionalProperties: false,
      },
    },
  },
  required: ["order_id", "state", "lines"],
  additionalProperties: false,
};

const line = fc.record({
  sku: fc.string({ minLength: 1, maxLength: 8 }),
  quantity: fc.integer({ min: 0, max: 99 }),
  gift: fc.boolean(),
});
const order = fc.record({
  order_id: fc.string({ minLength: 1, maxLength: 12 }),
  state: fc.constantFrom("open", "closed"),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
});
type Order = typeof order extends fc.Arbitrary<infer Value> ? Value : never;

/** Faults of a producer: each is done to every message alike, as one fingerprint means. */
const FAULTS: Readonly<Record<string, (good: Order) => JsonValue>> = {
  "names in camel case": ({ order_id, ...rest }) => ({ orderId: order_id, ...rest }),
  "quantities as text": ({ lines, ...rest }) => ({
    ...rest,
    lines: lines.map((one) => ({ ...one, quantity: String(one.quantity) })),
  }),
  "names inside of the lines": ({ lines, ...rest }) => ({
    ...rest,
    lines: lines.map(({ sku, quantity, gift }) => ({ SKU: sku, Quantity: String(quantity), gift })),
  }),
  "an envelope": (good) => ({ result: good }),
  "a tool call": (good) => ({ name: "save", arguments: good }),
  "a list of one": (good) => [good],
  "lines as json text": ({ lines, ...rest }) => ({ ...rest, lines: JSON.stringify(lines) }),
  "an extra member": (good) => ({ ...good, confidence: 0.5 }),
  "a state in capitals": (good) => ({ ...good, state: good.state.toUpperCase() }),
  "booleans as words": ({ lines, ...rest }) => ({
    ...rest,
    lines: lines.map((one) => ({ ...one, gift: String(one.gift) })),
  }),
};

function repairOf(bad: JsonValue): { value: JsonValue; notes: readonly Note[] } | undefined {
  const result = firstAid(JSON.stringify(bad), ORDER);
  return result.ok ? { value: result.value, notes: result.notes } : undefined;
}

describe("deriveRecipe", () => {
  test.each(Object.entries(FAULTS))(
    "derives what mends %s, and mends other messages with it or refuses",
    (_, spoil) => {
      let mended = 0;
      fc.assert(
        fc.property(order, order, (one, other) => {
          const repair = repairOf(spoil(one));
          if (repair === undefined) return;
          const recipe = deriveRecipe({ before: spoil(one), after: repair.value, notes: repair.notes });
          if (recipe === undefined) return;
          mended += 1;
          expect(applyRecipe(recipe, spoil(one))).toEqual({ ok: true, value: repair.value });
          const applied = applyRecipe(recipe, spoil(other));
          if (applied.ok && validate(applied.value, ORDER).length === 0) expect(applied.value).toEqual(other);
        }),
        { numRuns: 60 },
      );
      expect(mended).toBeGreaterThan(30);
    },
  );

  test("generalises over the items of lists", () => {
    const before = { lines: [{ qty: "1" }, { qty: "2" }] };
    const recipe = deriveRecipe({ before, after: { lines: [{ quantity: 1 }, { quantity: 2 }] }, notes: [] });
    expect(recipe?.operations).toEqual([
      { op: "rename", path: "/lines/*/qty", to: "quantity" },
      { op: "coerce", path: "/lines/*/quantity", to: "number" },
    ]);
    const spelled = deriveRecipe({
      before: { lines: [{ Qty: "1" }, { Qty: "2" }] },
      after: { lines: [{ qty: 1 }, { qty: 2 }] },
      notes: [],
    });
    expect(spelled?.operations).toEqual([
      { op: "rename", path: "/lines/*/Qty", to: "qty" },
      { op: "coerce", path: "/lines/*/qty", to: "number" },
    ]);
  });

  test.each<[string, JsonObject, JsonObject, object]>([
    [
      "out of an object that stays",
      { customer: { name: "Ada", email: "ada@x.example" }, order: "A-1001" },
      { customer: { name: "Ada" }, email: "ada@x.example", order: "A-1001" },
      { op: "move", from: "/customer/email", path: "/email" },
    ],
    [
      "into an object that stays",
      { customer: { name: "Ada" }, email: "ada@x.example", order: "A-1001" },
      { customer: { name: "Ada", email: "ada@x.example" }, order: "A-1001" },
      { op: "move", from: "/email", path: "/customer/email" },
    ],
    [
      "out of two levels, under another name",
      { order: { ship: { line: "12 Long Street", zip: "1010" }, id: "A-1001" } },
      { order: { ship: { zip: "1010" }, id: "A-1001" }, street: "12 Long Street" },
      { op: "move", from: "/order/ship/line", path: "/street" },
    ],
  ])("derives a member that went %s", (_, before, after, step) => {
    expect(deriveRecipe({ before, after, notes: [] })?.operations).toEqual([step]);
  });

  test("takes no value of a message over that the notes do not call the contract's", () => {
    expect(deriveRecipe({ before: { a: "x" }, after: { a: "y" }, notes: [] })).toBeUndefined();
    expect(deriveRecipe({ before: {}, after: { email: "ann@x.example" }, notes: [] })).toBeUndefined();
    expect(deriveRecipe({ before: { a: 1, b: 2 }, after: { a: 1 }, notes: [] })).toBeUndefined();
    const note: Note = { path: "/a", step: "enum_synonym", cost: 2 };
    expect(
      deriveRecipe({ before: { a: "done" }, after: { a: "closed" }, notes: [note] })?.operations,
    ).toEqual([{ op: "map_value", path: "/a", map: [{ from: "done", to: "closed" }] }]);
  });

  test("derives nothing of what is too deep", () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 500; level += 1) deep = { a: deep };
    expect(deriveRecipe({ before: deep, after: { a: 1 }, notes: [] })).toBeUndefined();
  });
});
