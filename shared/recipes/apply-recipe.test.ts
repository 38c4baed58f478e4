import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "#shared/schema";
import { applyRecipe } from "./apply-recipe.ts";
import type { RecipeOperation } from "./recipe.ts";

const apply = (value: JsonValue, ...operations: RecipeOperation[]): ReturnType<typeof applyRecipe> =>
  applyRecipe({ version: 1, operations }, value);

const APPLIED: readonly (readonly [
  name: string,
  operation: RecipeOperation,
  before: JsonValue,
  after: JsonValue,
])[] = [
  [
    "rename",
    { op: "rename", path: "/items/*/sku", to: "id" },
    { items: [{ sku: 1 }, { sku: 2 }] },
    { items: [{ id: 1 }, { id: 2 }] },
  ],
  ["move", { op: "move", from: "/a/b", path: "/c" }, { a: { b: 1 } }, { a: {}, c: 1 }],
  [
    "move within items",
    { op: "move", from: "/i/*/a", path: "/i/*/o/a" },
    { i: [{ a: 1, o: {} }] },
    { i: [{ o: { a: 1 } }] },
  ],
  ["wrap in a list", { op: "wrap", path: "/a", in: "array" }, { a: 1 }, { a: [1] }],
  ["wrap the whole under a name", { op: "wrap", path: "", in: { key: "items" } }, [1], { items: [1] }],
  ["unwrap", { op: "unwrap", path: "", key: "data" }, { data: { a: 1 } }, { a: 1 }],
  ["coerce to a number", { op: "coerce", path: "/n", to: "number" }, { n: "1.5" }, { n: 1.5 }],
  ["coerce to a text", { op: "coerce", path: "/n", to: "string" }, { n: 7 }, { n: "7" }],
  [
    "map values",
    { op: "map_value", path: "/s/*", map: [{ from: "Y", to: true }] },
    { s: ["Y", "N"] },
    { s: [true, "N"] },
  ],
  [
    "set a default",
    { op: "set_default", path: "/l/*/c", value: "EUR" },
    { l: [{ c: "USD" }, {}] },
    { l: [{ c: "USD" }, { c: "EUR" }] },
  ],
  ["delete", { op: "delete", path: "/l/*/x" }, { l: [{ x: 1, y: 2 }] }, { l: [{ y: 2 }] }],
  ["parse embedded JSON", { op: "parse_json", path: "/o" }, { o: '{"a":1}' }, { o: { a: 1 } }],
  ["split", { op: "split", path: "/t", by: "," }, { t: "a, b" }, { t: ["a", "b"] }],
  ["join", { op: "join", path: "/t", by: "-" }, { t: ["a", "b"] }, { t: "a-b" }],
  ["names with slashes and tildes", { op: "delete", path: "/a~1b~0c" }, { "a/b~c": 1, d: 2 }, { d: 2 }],
];

describe("applyRecipe", () => {
  test.each(APPLIED)("applies %s", (_, operation, before, after) => {
    const given = structuredClone(before);
    expect(apply(given, operation)).toEqual({ ok: true, value: after });
    expect(given).toEqual(before);
  });

  const REFUSED: readonly (readonly [name: string, operation: RecipeOperation, value: JsonValue])[] = [
    ["a name that is taken", { op: "rename", path: "/a", to: "b" }, { a: 1, b: 2 }],
    ["a move onto something", { op: "move", from: "/a", path: "/b" }, { a: 1, b: 2 }],
    ["a move of nothing", { op: "move", from: "/x", path: "/b" }, { a: 1 }],
    ["a move into itself", { op: "move", from: "/a", path: "/a/b" }, { a: {} }],
    ["dropping items", { op: "delete", path: "/l/0" }, { l: [1, 2] }],
    ["deleting everything", { op: "delete", path: "" }, { a: 1 }],
    ["unwrapping two", { op: "unwrap", path: "/l" }, { l: [1, 2] }],
    ["a coercion that rounds", { op: "coerce", path: "/n", to: "integer" }, { n: "2.5" }],
    [
      "a coercion that loses digits",
      { op: "coerce", path: "/n", to: "number" },
      { n: "12345678901234567890" },
    ],
    ["a prototype name", { op: "rename", path: "/a", to: "__proto__" }, { a: 1 }],
    ["a pointer into the prototype", { op: "set_default", path: "/__proto__/x", value: 1 }, {}],
    ["broken embedded JSON", { op: "parse_json", path: "/a" }, { a: "{" }],
    ["embedded JSON with a name twice", { op: "parse_json", path: "/a" }, { a: '{"b":1,"\\u0062":2}' }],
  ];
  test.each(REFUSED)("refuses %s", (_, operation, value) => {
    expect(apply(value, operation).ok).toBe(false);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  test("is total and leaves its input alone", () => {
    const pointer = fc.constantFrom("", "/a", "/*", "/a/*", "/*/*", "/a/0/b", "/length", "/constructor");
    const operation: fc.Arbitrary<RecipeOperation> = fc.oneof(
      fc.record({ op: fc.constant("rename" as const), path: pointer, to: fc.constantFrom("a", "b") }),
      fc.record({ op: fc.constant("move" as const), from: pointer, path: pointer }),
      fc.record({ op: fc.constant("wrap" as const), path: pointer, in: fc.constant("array" as const) }),
      fc.record({ op: fc.constant("unwrap" as const), path: pointer }),
      fc.record({
        op: fc.constant("coerce" as const),
        path: pointer,
        to: fc.constantFrom("string" as const, "number" as const),
      }),
      fc.record({ op: fc.constant("delete" as const), path: pointer }),
      fc.record({ op: fc.constant("split" as const), path: pointer, by: fc.constant(",") }),
    );
    const value = fc.letrec<{ node: JsonValue }>((tie) => ({
      node: fc.oneof(
        { depthSize: "small" },
        fc.string({ maxLength: 3 }),
        fc.integer(),
        fc.array(tie("node"), { maxLength: 3 }),
        fc.dictionary(fc.constantFrom("a", "b"), tie("node")),
      ),
    })).node;
    fc.assert(
      fc.property(fc.array(operation, { minLength: 1, maxLength: 5 }), value, (operations, given) => {
        const before = JSON.stringify(given);
        expect(typeof apply(given, ...operations).ok).toBe("boolean");
        expect(JSON.stringify(given)).toBe(before);
      }),
    );
  });
});
