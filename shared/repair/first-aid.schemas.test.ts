import { describe, expect, test } from "vitest";
import type { JsonSchema } from "#shared/json";
import { schemaFault } from "#shared/schema";
import { firstAid } from "./first-aid.ts";
import { repair } from "./library/index.ts";

/** Malformed schemas with the keyword at fault. */
const MALFORMED: readonly (readonly [schema: unknown, at: string])[] = [
  [null, ""],
  [5, ""],
  [[], ""],
  [{ type: "strng" }, "/type"],
  [{ type: ["object", "nope"] }, "/type"],
  [{ type: "object", properties: null }, "/properties"],
  [{ type: "object", properties: { a: null } }, "/properties/a"],
  [{ type: "object", properties: { a: { pattern: "(" } } }, "/properties/a/pattern"],
  [{ type: "object", properties: { "a/b": { $ref: "#/nope" } } }, "/properties/a~1b/$ref"],
  [{ type: "object", patternProperties: { "(": {} } }, "/patternProperties"],
  [{ type: "object", required: "a" }, "/required"],
  [{ enum: "x" }, "/enum"],
  [{ type: "array", items: 5 }, "/items"],
  [{ anyOf: [] }, "/anyOf"],
  [{ anyOf: [{}, null] }, "/anyOf/1"],
  [{ type: "number", minimum: "3" }, "/minimum"],
];

describe("a malformed schema", () => {
  // The types exclude some of them, callers of JavaScript do not.
  test.each(MALFORMED)("%j is named as the fault, whatever the text", (schema, at) => {
    for (const text of ['{"a": 1}', "{a: '1'}", "Sorry."])
      expect(firstAid(text, schema as JsonSchema)).toMatchObject({ ok: false, code: "bad_schema", path: at });
  });

  test.each([
    [{ type: "array", prefixItems: [], items: false }],
    [{ $defs: { a: { type: "null" } }, anyOf: [{ $ref: "#/$defs/a" }, true] }],
    [{ type: ["object", "null"], additionalProperties: { $ref: "#" }, "x-unit": "kg", examples: [5] }],
  ])("%j is sound", (schema) => {
    expect(schemaFault(schema)).toBeUndefined();
  });
});

describe("a refusal", () => {
  test("has the path of its reason and the candidates as fields", () => {
    const schema = {
      type: "object",
      properties: { at: { type: "string", format: "date" } },
      required: ["at"],
    };
    const refused = repair('{"at": "03/04/2025"}', schema);
    expect(refused).toMatchObject({ ok: false, code: "ambiguous", path: "/at" });
    if (!refused.ok) expect(refused.candidates).toEqual(["2025-03-04", "2025-04-03"]);
  });
});
