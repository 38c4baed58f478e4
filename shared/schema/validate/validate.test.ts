import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../json-value.ts";
import { validate } from "./validate.ts";

// Parsed from text, because an object literal with `then` reads like a promise; the text is an object.
const CONDITIONAL = JSON.parse(
  `{"if": {"type": "number"}, "then": {"minimum": 1}, "else": {"minLength": 1}}`,
) as Record<string, unknown>;

type Row = readonly [name: string, schema: Record<string, unknown>, good: JsonValue, bad: JsonValue];

const ROWS: readonly Row[] = [
  ["type", { type: "integer" }, 2, 2.5],
  ["type lists", { type: ["string", "null"] }, null, 1],
  ["const", { const: { a: [1] } }, { a: [1] }, { a: [2] }],
  ["enum", { enum: ["a", null, 1] }, null, "1"],
  ["minimum and maximum", { minimum: 1, maximum: 2 }, 2, 2.1],
  ["exclusive bounds", { exclusiveMinimum: 1, exclusiveMaximum: 2 }, 1.5, 2],
  ["multipleOf with decimals", { multipleOf: 0.1 }, 0.3, 0.35],
  ["text length in characters, not units", { maxLength: 1 }, "😀", "ab"],
  ["pattern", { pattern: "^[a-z]+$" }, "abc", "aBc"],
  ["nested repeats in a pattern", { pattern: "^([a-z0-9]+-)*[a-z0-9]+$" }, "ab-cd-ef", "ab--cd"],
  ["look-ahead in a pattern", { pattern: "^(?!.*xx)[a-z]+\\.[a-z]+$" }, "ab.cd", "xx.cd"],
  ["email", { format: "email" }, "a.b@example.org", "a@"],
  ["date", { format: "date" }, "2024-02-29", "2023-02-29"],
  ["date-time", { format: "date-time" }, "2024-01-02T03:04:05.6+01:00", "2024-01-02T03:04:05"],
  ["uuid", { format: "uuid" }, "0190c4b2-7d1f-7000-8000-000000000000", "0190c4b2"],
  ["uri", { format: "uri" }, "https://example.org/a", "example"],
  ["required", { required: ["a"] }, { a: 1 }, { b: 1 }],
  ["closed objects", { properties: { a: {} }, additionalProperties: false }, { a: 1 }, { a: 1, b: 2 }],
  ["additional properties by schema", { additionalProperties: { type: "number" } }, { x: 1 }, { x: "1" }],
  ["pattern properties", { patternProperties: { "^n_": { type: "number" } } }, { n_a: 1 }, { n_a: "1" }],
  ["property names", { propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }],
  ["dependent required", { dependentRequired: { a: ["b"] } }, { a: 1, b: 2 }, { a: 1 }],
  ["items", { items: { type: "number" } }, [1, 2], [1, "2"]],
  ["prefix items with nothing after", { prefixItems: [{ type: "number" }], items: false }, [1], [1, 2]],
  [
    "unique items by value",
    { uniqueItems: true },
    [{ a: 1 }, { a: 2 }],
    [
      { a: 1, b: 2 },
      { b: 2, a: 1 },
    ],
  ],
  ["contains", { contains: { const: 1 }, maxContains: 1 }, [1, 2], [1, 1]],
  ["anyOf", { anyOf: [{ type: "number" }, { type: "string" }] }, "a", true],
  ["oneOf", { oneOf: [{ minimum: 2 }, { maximum: 3 }] }, 4, 2.5],
  ["allOf", { allOf: [{ minimum: 2 }, { maximum: 3 }] }, 2, 4],
  ["not", { not: { type: "null" } }, 1, null],
  ["if, then, else", CONDITIONAL, 1, ""],
  ["references", { $ref: "#/$defs/a~1b", $defs: { "a/b": { type: "number" } } }, 1, "1"],
  ["references to an anchor", { $ref: "#x", $defs: { y: { $anchor: "x", type: "number" } } }, 1, "1"],
  [
    "unevaluated properties through allOf",
    { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
    { a: 1 },
    { b: 1 },
  ],
];

describe("validate", () => {
  test.each(ROWS)("checks %s", (_, schema, good, bad) => {
    expect(validate(good, schema)).toEqual([]);
    expect(validate(bad, schema).length).toBeGreaterThan(0);
  });

  test("names every fault with its pointer", () => {
    const schema = { properties: { "a/b": { items: { type: "number" } } }, required: ["c"] };
    expect(validate({ "a/b": [1, "x", "y"] }, schema).map((issue) => [issue.path, issue.code])).toEqual([
      ["/c", "missing"],
      ["/a~1b/1", "invalid_type"],
      ["/a~1b/2", "invalid_type"],
    ]);
  });

  test("does not find inherited names", () => {
    expect(validate({}, { required: ["constructor"] })).toHaveLength(1);
    expect(validate({ constructor: 1 }, { properties: {}, additionalProperties: false })).toHaveLength(1);
  });

  test.each(["^(a+)+$", "^(a|a)*$", "^(.*)*x$", "(x+x+)+y", "^(([a-z])+.)+[A-Z]([a-z])+$"])(
    "answers a hostile pattern %s in bounded time",
    (pattern) => {
      const startedAt = performance.now();
      expect(validate(`${"a".repeat(2000)}!`, { pattern }).length).toBeGreaterThan(0);
      expect(performance.now() - startedAt).toBeLessThan(10_000);
    },
  );

  test("reports a malformed pattern and an unknown reference as issues", () => {
    expect(validate("a", { pattern: "(" })[0]?.code).toBe("pattern_malformed");
    expect(validate("a", { $ref: "other.json" })[0]?.code).toBe("unknown_reference");
  });

  test("ends on endless references and deep values", () => {
    expect(validate(1, { $ref: "#" })[0]?.code).toBe("limit");
    let deep: JsonValue = 1;
    for (let level = 0; level < 5000; level += 1) deep = [deep];
    expect(validate(deep, {})[0]?.code).toBe("limit");
  });

  test("is total on any schema", () => {
    const keyword = fc.constantFrom(
      "type",
      "enum",
      "properties",
      "items",
      "required",
      "anyOf",
      "$ref",
      "pattern",
      "minLength",
      "not",
      "prefixItems",
      "format",
      "if",
    );
    fc.assert(
      fc.property(
        fc.dictionary(keyword, fc.jsonValue({ maxDepth: 2 })),
        fc.jsonValue({ maxDepth: 3 }),
        (schema, value) => {
          // fast-check's JSON values are ours, but for their type.
          expect(Array.isArray(validate(value as JsonValue, schema))).toBe(true);
        },
      ),
    );
  });
});
