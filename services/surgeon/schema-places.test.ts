import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { needsTwoPeople, writablePlaces } from "./schema-places.ts";

const money = z.strictObject({ value: z.number(), currency: z.string() });
const Order = contract(
  "places.order@1",
  z.strictObject({
    note: z.string(),
    price: money.nullable().meta({ "x-locked": true }),
    account: z.string().meta({ "x-locked": true, "x-two-person": true }).optional(),
    items: z.array(z.strictObject({ name: z.string(), to: z.string().meta({ "x-two-person": true }) })),
    "a/b": z.string(),
  }),
);

describe("the places of a contract", () => {
  it("lists what is not locked, and nothing inside what is", () => {
    const places = writablePlaces(Order.jsonSchema);
    expect(places.toSorted()).toEqual([
      "/a~1b",
      "/items",
      "/items/*",
      "/items/*/name",
      "/items/*/to",
      "/note",
    ]);
  });

  it("asks for two people at a marked place, inside it and around it, and nowhere else", () => {
    expect(needsTwoPeople(Order.jsonSchema, "/account")).toBe(true);
    expect(needsTwoPeople(Order.jsonSchema, "/items/3/to")).toBe(true);
    expect(needsTwoPeople(Order.jsonSchema, "/items")).toBe(true);
    expect(needsTwoPeople(Order.jsonSchema, "")).toBe(true);
    expect(needsTwoPeople(Order.jsonSchema, "/items/3/name")).toBe(false);
    expect(needsTwoPeople(Order.jsonSchema, "/note")).toBe(false);
  });

  it("ends on a schema that refers to itself", () => {
    const schema = { $ref: "#/$defs/a", $defs: { a: { properties: { next: { $ref: "#/$defs/a" } } } } };
    expect(writablePlaces(schema).length).toBeLessThan(200);
  });
});
