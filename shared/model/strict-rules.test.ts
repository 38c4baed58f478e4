import { describe, expect, it } from "vitest";
import { findStrictFaults, STRICT_BOUNDS } from "./strict-rules.ts";

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

/** A value in as many objects as asked for. */
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
