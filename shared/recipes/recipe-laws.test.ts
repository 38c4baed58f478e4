import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonical, validate } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import { applyRecipe } from "./apply-recipe.ts";
import { deriveRecipe } from "./derive-recipe.ts";
import { isOfContract } from "./judge-recipe.ts";
import { Recipe } from "./recipe.ts";

/** A closed contract with everything a recipe may take over: names, enums, defaults, nesting, lists. */
const CLAIM = {
  type: "object",
  properties: {
    claim_id: { type: "string" },
    state: { enum: ["open", "closed", "lost"] },
    channel: { type: "string", default: "post" },
    is_urgent: { type: "boolean" },
    person: {
      type: "object",
      properties: { name: { type: "string" }, city: { type: "string" } },
      required: ["name", "city"],
      additionalProperties: false,
    },
    items: {
      type: "array",
      items: {
        type: "object",
        properties: { sku: { type: "string" }, count: { type: "integer" } },
        required: ["sku", "count"],
        additionalProperties: false,
      },
    },
  },
  required: ["claim_id", "state", "channel", "is_urgent", "person", "items"],
  additionalProperties: false,
};

interface Claim {
  readonly claim_id: string;
  readonly state: string;
  readonly is_urgent: boolean;
  readonly person: { readonly name: string; readonly city: string };
  readonly items: readonly { readonly sku: string; readonly count: number }[];
}

/** Values that nobody else's message holds. */
const claimOf = (owner: string): fc.Arbitrary<Claim> => {
  const own = fc.integer({ min: 100_000, max: 999_999 }).map((n) => `${owner}-${n}`);
  return fc.record({
    claim_id: own,
    state: fc.constantFrom("open", "closed", "lost"),
    is_urgent: fc.boolean(),
    person: fc.record({ name: own, city: own }),
    items: fc.array(fc.record({ sku: own, count: fc.integer({ min: 1000, max: 9_999_999 }) }), {
      minLength: 1,
      maxLength: 3,
    }),
  });
};

const GERMAN: Readonly<Record<string, string>> = { open: "offen", closed: "zu", lost: "verloren" };

const goodOf = (claim: Claim): JsonValue => clean({ ...claim, channel: "post" });

/** A change that a producer makes to every message of its own. */
const FAULTS: Readonly<Record<string, (claim: Claim) => unknown>> = {
  "names in another language": ({ claim_id, items, ...rest }) => ({
    ...rest,
    channel: "post",
    vorgang: claim_id,
    posten: items.map(({ sku, count }) => ({ artikel: sku, menge: String(count) })),
  }),
  "a person that lies flat": ({ person, ...rest }) => ({ ...rest, channel: "post", ...person }),
  "an id inside of a header": ({ claim_id, ...rest }) => ({
    ...rest,
    channel: "post",
    header: { nummer: claim_id },
  }),
  "states in another language": (claim) => ({ ...claim, channel: "post", state: GERMAN[claim.state] }),
  "no default and something more": (claim) => ({ ...claim, secret_note: claim.claim_id }),
};

/** As it comes in a message. */
const clean = (value: unknown): JsonValue => JSON.parse(JSON.stringify(value)) as JsonValue;

describe("recipes", () => {
  test.each(Object.entries(FAULTS))(
    "mend %s in other messages, and bring nothing of the one along",
    (_, spoil) => {
      let mended = 0;
      fc.assert(
        fc.property(claimOf("ann"), claimOf("bob"), (one, other) => {
          const recipe = deriveRecipe({ before: clean(spoil(one)), after: goodOf(one), schema: CLAIM });
          if (recipe === undefined) return;
          expect(isOfContract(recipe, CLAIM)).toBe(true);
          expect(JSON.stringify(recipe)).not.toContain("ann-");
          const applied = applyRecipe(recipe, clean(spoil(other)));
          if (!applied.ok) return;
          expect(JSON.stringify(applied.value)).not.toContain("ann-");
          if (validate(applied.value, CLAIM).length > 0) return;
          expect(canonical(applied.value)).toBe(canonical(goodOf(other)));
          mended += 1;
        }),
        { numRuns: 100 },
      );
      expect(mended).toBeGreaterThan(20);
    },
  );

  test("are not derived from a value that came from elsewhere, by chance the same as one that is gone", () => {
    const repair = { before: { priority: 3 }, after: { seats: 3 } };
    const schema = {
      type: "object",
      properties: { seats: { type: "integer" } },
      additionalProperties: false,
    };
    expect(deriveRecipe({ ...repair, schema, elsewhere: ["a table for 3 seats"] })).toBeUndefined();
    expect(deriveRecipe({ ...repair, schema })?.operations).toEqual([
      { op: "rename", path: "/priority", to: "seats" },
    ]);
  });

  const word = fc.constantFrom(
    "a",
    "b",
    "state",
    "open",
    "__proto__",
    "constructor",
    "prototype",
    "length",
    "0",
  );
  const json = fc.letrec<{ node: JsonValue }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<JsonValue>("open", "x", "", 1, 0, true, null, '{"__proto__":{"a":1}}'),
      fc.array(tie("node"), { maxLength: 3 }),
      fc.array(fc.tuple(word, tie("node")), { maxLength: 4 }).map((members) => {
        const text = members.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
        return JSON.parse(`{${text.join(",")}}`) as JsonValue;
      }),
    ),
  })).node;

  test("are total and pure, never touch a prototype, and reproduce the repair they are taken from", () => {
    const schema = fc.constantFrom({}, CLAIM, {
      properties: { a: { enum: ["open", "x"] }, b: { default: {} } },
    });
    fc.assert(
      fc.property(json, json, json, schema, (before, after, other, contract) => {
        const texts = [before, after, other].map((value) => JSON.stringify(value));
        const recipe = deriveRecipe({ before, after, schema: contract });
        if (recipe !== undefined) {
          expect(Recipe.safeParse(recipe).success).toBe(true);
          expect(applyRecipe(recipe, before)).toEqual({ ok: true, value: after });
          expect(typeof applyRecipe(recipe, other).ok).toBe("boolean");
          expect(applyRecipe(recipe, other)).toEqual(applyRecipe(recipe, other));
          expect(typeof isOfContract(recipe, contract)).toBe("boolean");
        }
        expect([before, after, other].map((value) => JSON.stringify(value))).toEqual(texts);
        expect(Object.keys(Object.prototype)).toEqual([]);
        expect(({} as Record<string, unknown>)["a"]).toBeUndefined();
      }),
      { numRuns: 1500 },
    );
  });

  test("take bounded work, however many members are gone and have come", () => {
    const members = (prefix: string, value: JsonValue): JsonObject =>
      Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`${prefix}${n}`, value]));
    const [before, after] = [members("gone", { a: { b: 1 } }), members("come", { a: { b: 2 } })];
    const startedMs = process.cpuUsage().user;
    expect(deriveRecipe({ before, after, schema: {} })).toBeUndefined();
    // Far below what comparing each with each would take.
    expect(process.cpuUsage().user - startedMs).toBeLessThan(5_000_000);
  });

  const FOREIGN: readonly (readonly [string, unknown])[] = [
    ["a value as a default", { op: "set_default", path: "/channel", value: "ann-1" }],
    ["a value in place of another", { op: "map_value", path: "/state", map: [{ from: "offen", to: "ann" }] }],
    [
      "a sentence to be looked for",
      { op: "map_value", path: "/state", map: [{ from: "my card is 4111 1111", to: "open" }] },
    ],
    [
      "a large number to be looked for",
      { op: "map_value", path: "/state", map: [{ from: 41_111_111, to: "open" }] },
    ],
    ["a name that is not declared", { op: "rename", path: "/x", to: "ann" }],
    ["a place that is not declared", { op: "move", from: "/x", path: "/ann/x" }],
    ["a wrapper that is not declared", { op: "wrap", path: "", in: { key: "ann" } }],
    ["words between joined parts", { op: "join", path: "/channel", by: "ann" }],
  ];
  test.each(FOREIGN)("with %s are not of the contract", (_, operation) => {
    const recipe = Recipe.parse({ version: 1, operations: [operation] });
    expect(isOfContract(recipe, CLAIM)).toBe(false);
  });
});
