import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { dropAddedNulls } from "./added-nulls.ts";
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
