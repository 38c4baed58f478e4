import { describe, expect, test } from "vitest";
import { validate } from "#shared/schema";
import { alignTree } from "./align/align.ts";
import { boundsOf } from "./bounds.ts";
import { firstAid } from "./first-aid.ts";
import { collectReadings } from "./read/collect-readings.ts";
import { ReadRefusal } from "./read/reader.ts";

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
