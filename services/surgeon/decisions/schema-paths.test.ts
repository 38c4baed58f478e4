import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { needsTwoPeople, writablePaths } from "./schema-paths.ts";

const money = z.strictObject({ value: z.number(), currency: z.string() });
const Order = contract(
  "paths.order@1",
  z.strictObject({
    note: z.string(),
    price: money.nullable().meta({ "x-locked": true }),
    account: z.string().meta({ "x-locked": true, "x-two-person": true }).optional(),
    items: z.array(z.strictObject({ name: z.string(), to: z.string().meta({ "x-two-person": true }) })),
    "a/b": z.string(),
  }),
);

describe("the paths of a contract", () => {
  it("lists what is neither locked nor for two people, and nothing inside what is", () => {
    const paths = writablePaths(Order.jsonSchema);
    expect(paths.toSorted()).toEqual(["/a~1b", "/items", "/items/*", "/items/*/name", "/note"]);
  });

  it("asks for two people at a marked path, inside it and around it, and nowhere else", () => {
    expect(needsTwoPeople(Order.jsonSchema, "/account")).toBe(true);
    expect(needsTwoPeople(Order.jsonSchema, "/items/3/to")).toBe(true);
    expect(needsTwoPeople(Order.jsonSchema, "/items")).toBe(true);
    expect(needsTwoPeople(Order.jsonSchema, "")).toBe(true);
    expect(needsTwoPeople(Order.jsonSchema, "/items/3/name")).toBe(false);
    expect(needsTwoPeople(Order.jsonSchema, "/note")).toBe(false);
  });

  it("asks for two people everywhere in a contract that is too large to look through, if it marks a path", () => {
    const names = Array.from({ length: 300 }, (_, n) => [`n${n}`, { type: "string" }]);
    const plain = Object.fromEntries(names);
    expect(needsTwoPeople({ properties: plain }, "/n1")).toBe(false);
    const last = { type: "string", "x-two-person": true };
    expect(needsTwoPeople({ properties: { ...plain, last } }, "/last")).toBe(true);
  });

  it("ends on a schema that refers to itself", () => {
    const schema = { $ref: "#/$defs/a", $defs: { a: { properties: { next: { $ref: "#/$defs/a" } } } } };
    expect(writablePaths(schema).length).toBeLessThan(200);
  });
});
