import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { repair } from "./index.ts";
import type { Repair } from "./index.ts";

const Order = z.strictObject({
  id: z.string(),
  lines: z.array(z.strictObject({ sku: z.string(), quantity: z.int() })),
  note: z.string().optional(),
});

describe("repair", () => {
  test("gives what a library's schema types, with evidence", () => {
    const text = "Sure!\n{'id': 'A-1', 'lines': [{'sku': 'X', 'quantity': '2'}],}";
    const repaired = repair(text, Order);
    expectTypeOf(repaired).toEqualTypeOf<Repair<z.infer<typeof Order>>>();
    if (!repaired.ok) throw new Error(repaired.reason);
    expect(repaired.value).toEqual({ id: "A-1", lines: [{ sku: "X", quantity: 2 }] });
    const [, , quantity] = repaired.evidence.values;
    expect(quantity).toMatchObject({ path: "/lines/0/quantity", rules: ["text_to_number"] });
    expect(quantity?.spans.map(({ start, end }) => text.slice(start, end))).toEqual(["2"]);
  });

  test("takes a JSON Schema, and none", () => {
    const schema = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
    expect(repair('{"a": "1"', schema)).toMatchObject({ ok: true, value: { a: 1 } });
    expect(repair("[1, 2,]")).toMatchObject({ ok: true, value: [1, 2] });
  });

  test("applies the library's own checks and changes", () => {
    const Even = z.object({
      n: z.int().refine((n) => n % 2 === 0),
      at: z.string().transform((at) => at.length),
    });
    expect(repair('{"n": "4", "at": "noon"}', Even)).toMatchObject({ ok: true, value: { n: 4, at: 4 } });
    expect(repair('{"n": "3", "at": "noon"}', Even)).toMatchObject({
      ok: false,
      code: "mismatch",
      reason: expect.stringContaining("/n"),
    });
  });

  test("names both values where it would have to choose, and never quotes the text in its reason", () => {
    const refused = repair('{"secret-word": 1}\n{"a": 1}\n\nor\n\n{"a": 2}', {
      type: "object",
      properties: { a: { type: "integer" } },
      required: ["a"],
      additionalProperties: false,
    });
    expect(refused).toMatchObject({ ok: false, code: "ambiguous", candidates: [{ a: 1 }, { a: 2 }] });
    expect(JSON.stringify(refused)).not.toContain("secret-word");
  });
});
