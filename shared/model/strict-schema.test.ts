import fc from "fast-check";
import { describe, expect, test, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { dropAddedNulls } from "./added-nulls.ts";
import { findStrictFaults, STRICT_BOUNDS } from "./strict-rules.ts";
import { toStrictSchema } from "./strict-schema.ts";

const rich = contract(
  "refunds.request@1",
  z.object({
    order_id: z.string().min(3).regex(/^ORD/).meta({ "x-locked": true }),
    note: z.string().optional(),
    mood: z.enum(["happy", "sad"]).optional(),
    agent: z.string().nullish(),
    kind: z.discriminatedUnion("type", [
      z.object({ type: z.literal("a"), left: z.number().int().optional() }),
      z.object({ type: z.literal("b"), right: z.boolean().default(true) }),
    ]),
    items: z.array(z.object({ name: z.string(), price: z.number().optional() })),
    "x-ray": z.string().optional(),
  }),
);

describe("toStrictSchema", () => {
  test("tells the model in words what the schema may not say", () => {
    const { schema } = toStrictSchema(rich.jsonSchema);
    expect(schema).toMatchObject({
      properties: { order_id: { description: expect.stringContaining("minLength 3") } },
    });
  });

  test.each([
    ["a record", z.object({ scores: z.record(z.string(), z.number()) })],
    ["a free value", z.object({ anything: z.unknown() })],
    ["a tuple", z.object({ pair: z.tuple([z.string(), z.number()]) })],
    ["an open object", z.looseObject({ a: z.string() })],
    ["an intersection", z.object({ both: z.intersection(z.looseObject({ a: z.string() }), z.string()) })],
    ["a list at the root", z.array(z.string())],
    ["a union at the root", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
  ])("falls back for %s, and keeps only what everyone knows", (_, schema) => {
    const made = toStrictSchema({
      ...contract("some.thing@1", schema).jsonSchema,
      "x-own": { "x-inner": 1 },
    });
    expect(made.strict).toBe(false);
    expect(made.schema).not.toHaveProperty("x-own");
    expect(made.schema).not.toHaveProperty("$schema");
  });

  test.each([
    ["a record", z.object({ in: z.object({ scores: z.record(z.string(), z.number()) }) })],
    ["a free value", z.object({ in: z.object({ scores: z.unknown() }) })],
    ["a tuple", z.object({ in: z.object({ scores: z.tuple([z.string()]) }) })],
    ["an open object", z.object({ in: z.object({ scores: z.looseObject({}) }) })],
  ])("says where the fault is: %s", (_, schema) => {
    const { faults } = toStrictSchema(contract("some.thing@1", schema).jsonSchema);
    expect(faults).toEqual([
      { path: "/properties/in/properties/scores", problem: expect.stringMatching(/\w/) },
    ]);
  });

  test("never throws, whatever it is given", () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom("type", "anyOf", "properties", "items", "$ref", "enum"),
          fc.jsonValue(),
        ),
        (schema) => {
          expect(toStrictSchema(schema)).toHaveProperty("strict");
        },
      ),
    );
  });
});

const answered = {
  order_id: "ORD1",
  note: null,
  mood: null,
  agent: null,
  kind: { type: "b", right: null },
  items: [
    { name: "a", price: null },
    { name: "b", price: 2 },
  ],
  "x-ray": null,
};
const wanted = {
  order_id: "ORD1",
  agent: null,
  kind: { type: "b" },
  items: [{ name: "a" }, { name: "b", price: 2 }],
};

describe("dropAddedNulls", () => {
  test("takes out the nulls of optional fields and leaves those that are values", () => {
    expect(dropAddedNulls(answered, rich.jsonSchema)).toEqual(wanted);
    expect(rich.schema.safeParse(dropAddedNulls(answered, rich.jsonSchema)).success).toBe(true);
  });

  test("leaves a null of a required or unknown field, and every value without nulls, as it is", () => {
    const bad = { order_id: null, unknown: null, kind: 5, items: [null] };
    expect(dropAddedNulls(bad, rich.jsonSchema)).toEqual(bad);
    expect(dropAddedNulls(wanted, rich.jsonSchema)).toEqual(wanted);
  });
});

type Schema = { readonly [keyword: string]: unknown };

const text = { type: "string" } as const;

function object(properties: Schema, more: Schema = {}): Schema {
  return {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
    ...more,
  };
}

function nested(levels: number): Schema {
  return levels === 0 ? text : object({ a: nested(levels - 1) });
}

function named(count: number, characters = 1): Schema {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [String(index).padEnd(characters, "x"), text]),
  );
}

function enumOf(count: number, characters: number): Schema {
  return object({
    a: {
      type: "string",
      enum: Array.from({ length: count }, (_, index) => String(index).padEnd(characters, "x")),
    },
  });
}

describe("findStrictFaults", () => {
  it.each<[string, Schema]>([
    ["every supported type", object({ a: text, b: { type: "integer" }, c: { type: "array", items: text } })],
    ["a nullable field", object({ a: { anyOf: [{ type: "string", enum: ["a"] }, { type: "null" }] } })],
    ["several types with an enum", object({ a: { type: ["string", "null"], enum: ["a", null] } })],
    ["a recursion", object({ a: { type: "array", items: { $ref: "#" } } })],
    ["a definition", object({ a: { $ref: "#/$defs/b" } }, { $defs: { b: object({ c: text }) } })],
    ["supported limits", object({ a: { ...text, pattern: "^a(?:b)$", format: "date-time" } })],
    ["objects that their first property tells apart", object({ a: { anyOf: [tagged("x"), tagged("y")] } })],
    ["as many levels as allowed", nested(STRICT_BOUNDS.levelsMax)],
    ["as many properties as allowed", object(named(STRICT_BOUNDS.propertiesMax))],
    ["as many enum values as allowed", enumOf(STRICT_BOUNDS.enumValuesMax, 15)],
  ])("takes %s", (_, schema) => {
    expect(findStrictFaults(schema)).toEqual([]);
  });

  it.each<[string, Schema, string, string]>([
    ["a root that is a union", { anyOf: [object({})] }, "", "the root is not an object"],
    ["an enum without a type", object({ a: { enum: ["a"] } }), "/properties/a", "needs a type"],
    ["a schema of anything", object({ a: {} }), "/properties/a", "needs a type"],
    ["an unknown type", object({ a: { type: "date" } }), "/properties/a", "the type is unknown"],
    ["an open object", { type: "object", properties: {}, required: [] }, "", "additionalProperties"],
    ["an optional property", object({ a: text }, { required: [] }), "", "a is not required"],
    ["an array of anything", object({ a: { type: "array" } }), "/properties/a", "needs items"],
    ["words beside a reference", object({ a: { $ref: "#", description: "a" } }), "/properties/a", "beside"],
    ["a reference to nothing", object({ a: { $ref: "#/$defs/b" } }), "/properties/a", "leads nowhere"],
    ["an empty enum", object({ a: { type: "string", enum: [] } }), "/properties/a", "at least one value"],
    ["an empty union", object({ a: { anyOf: [] } }), "/properties/a", "at least one schema"],
    ["twins in a union", object({ a: { anyOf: [tagged("x"), tagged("x")] } }), "/properties/a", "begin with"],
    ["a format of its own", object({ a: { ...text, format: "iban" } }), "/properties/a", "format"],
    ["a pattern that looks ahead", object({ a: { ...text, pattern: "(?=b)" } }), "/properties/a", "around"],
    ["too many levels", nested(STRICT_BOUNDS.levelsMax + 1), "/properties/a".repeat(10), "levels"],
    ["too many properties", object(named(STRICT_BOUNDS.propertiesMax + 1)), "", "properties"],
    ["too many enum values", enumOf(STRICT_BOUNDS.enumValuesMax + 1, 1), "", "enum values"],
    ["a long enum of long texts", enumOf(251, 60), "/properties/a", "15000 characters"],
    ["long names", object(named(2000, 61)), "", "120000 characters"],
  ])("refuses %s", (_, schema, path, problem) => {
    expect(findStrictFaults(schema)).toContainEqual({ path, problem: expect.stringContaining(problem) });
  });

  it.each(["allOf", "oneOf", "not", "if", "dependentRequired", "patternProperties", "minLength", "default"])(
    "refuses the keyword %s",
    (keyword) => {
      const schema = object({ "a/b": { ...text, [keyword]: [] } });
      expect(findStrictFaults(schema)).toEqual([
        { path: "/properties/a~1b", problem: `${keyword} is not supported` },
      ]);
    },
  );
});

function tagged(kind: string): Schema {
  return object({ kind: { type: "string", enum: [kind] }, a: text });
}
