import { describe, expect, test } from "vitest";
import type { JsonSchema } from "#shared/json";
import { schemaFault, validate } from "#shared/schema";
import { alignTree } from "./align/align.ts";
import { boundsOf } from "./bounds.ts";
import { firstAid } from "./index.ts";
import { repair } from "./library/index.ts";
import { collectReadings } from "./read/collect-readings.ts";
import { ReadRefusal } from "./read/reader.ts";

const PAIR = {
  type: "object",
  properties: { a: { type: "string" } },
  required: ["a"],
  additionalProperties: false,
};

describe("a result", () => {
  test("costs nothing and has no notes where the value is valid, however odd it looks", () => {
    const odd = `{"s": " **yes** ", "n": -0.0, "u": ["", null]}`;
    const value = { s: " **yes** ", n: -0, u: ["", null] };
    expect(firstAid(odd, { type: "object" })).toEqual({ ok: true, value, cost: 0, notes: [], unused: [] });
  });

  test("names what was left out", () => {
    expect(firstAid(`{"a": "x", "z": 1}`, PAIR)).toMatchObject({ ok: true, unused: ["/z"] });
  });

  test("says that the text is cut and the complete part kept", () => {
    const result = firstAid(`{"a": "some te`);
    expect(result).toMatchObject({ ok: true, value: { a: "some te" } });
    expect(result.notes.map((note) => note.step)).toContain("cut_string");
  });

  test("charges a step at every item of a list once", () => {
    const rows = JSON.stringify(Array.from({ length: 500 }, () => ({ a: 1 })));
    expect(firstAid(rows, { type: "array", items: PAIR })).toMatchObject({ ok: true, cost: 2 });
  });
});

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

const NODE = {
  type: "object",
  properties: {
    name: { type: "string" },
    count: { type: "integer" },
    inner: { $ref: "#" },
    rows: { type: "array", items: { $ref: "#" } },
  },
  additionalProperties: false,
};

/** Steps that reading and fitting a text takes, without the bound that would hide how they grow. */
function stepsOf(text: string): number {
  const workMax = 1e9;
  const bounds = boundsOf({ workMax }, NODE);
  try {
    for (const { tree } of collectReadings(text, bounds).readings) alignTree(tree, NODE, bounds);
  } catch (error) {
    if (!(error instanceof ReadRefusal)) throw error;
  }
  return workMax - bounds.work.left;
}

/** Hostile and merely large texts, by the number of their parts. */
const TEXTS: Readonly<Record<string, (parts: number) => string>> = {
  "rows to coerce": (parts) => `[${'{"Name": "x", "count": "1"},'.repeat(parts)}]`,
  "rows under sixty levels": (parts) =>
    `${'{"inner":'.repeat(60)}{"rows":[${'{"count":"1"},'.repeat(parts)}]}${"}".repeat(60)},`,
  "one long string": (parts) => `{"name": "${"word ".repeat(parts)}",}`,
  "marks in a string": (parts) => `{"name": "${'said "so" and '.repeat(parts)}",}`,
  backslashes: (parts) => `{"name": "${"\\\\".repeat(parts)}",}`,
  "many digits": (parts) => `{"count": ${"9".repeat(parts)},}`,
  comments: (parts) => `{${"/* x */".repeat(parts)} "count": 1}`,
  commas: (parts) => `{"count": 1${",".repeat(parts)}}`,
  "near-miss names": (parts) => `{${Array.from({ length: parts }, (_, at) => `"nmae${at}x": 1`).join(",")},}`,
  concatenations: (parts) => `{"name": ${'"x" + '.repeat(parts)}"y"}`,
};

describe("work", () => {
  test.each(Object.entries(TEXTS))("grows in proportion to the text for %s", (_, make) => {
    const [one, two] = [stepsOf(make(400)), stepsOf(make(800))];
    expect(one).toBeGreaterThan(400);
    expect(two / one).toBeLessThan(2.3);
  });

  test.each(Object.entries(TEXTS))("ends within its bound for a hundred thousand parts of %s", (_, make) => {
    const result = firstAid(make(100_000), NODE, { workMax: 400_000 });
    expect(typeof result.ok).toBe("boolean");
  });

  test("repairs twelve thousand honest rows that each need it", () => {
    const names = ["name", "city", "unit", "state"];
    const row = names.map((name) => `"${name.toUpperCase()}":"a word"`).join(",");
    const rows = { type: "array", items: { type: "object", properties: {}, required: names } };
    Object.assign(rows.items.properties, ...names.map((name) => ({ [name]: { type: "string" } })));
    const text = `[${`{${row}},`.repeat(12_000)}]`;
    expect(firstAid(text, rows)).toMatchObject({ ok: true });
  });

  test("lists no more issues than were asked for, however many there are", () => {
    const wrong = Array.from({ length: 200_000 }, () => "no number");
    expect(validate(wrong, { type: "array", items: { type: "number" } }, { issuesMax: 5 })).toHaveLength(5);
  });
});
