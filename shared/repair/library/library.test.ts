import fc from "fast-check";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import type { JsonValue } from "#shared/schema";
import { CertainReader } from "./certain-reader.ts";
import { createRepairStream, repair, repairStream } from "./index.ts";
import type { Repair } from "./index.ts";
import { extendsValue } from "./repair-stream.ts";

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

const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => !JSON.stringify(value).includes("__proto__"));
const cuts = fc.array(fc.nat(400), { maxLength: 12 });

function partsOf(text: string, at: readonly number[]): string[] {
  const offsets = [0, ...at.map((one) => Math.min(one, text.length)).toSorted((a, b) => a - b), text.length];
  return offsets.slice(1).map((end, index) => text.slice(offsets[index], end));
}

/** Pushes all parts, and holds each certain value to the one before. */
function pushAll(
  parts: readonly string[],
  schema?: Record<string, unknown>,
): { certain: JsonValue | undefined; end: Repair } {
  const stream = createRepairStream(schema);
  let before: JsonValue | undefined;
  for (const part of parts) {
    const { value } = stream.push(part);
    const now = value === undefined ? undefined : structuredClone(value);
    if (before !== undefined) expect(extendsValue(now, before)).toBe(true);
    before = now;
  }
  return { certain: before, end: stream.end() };
}

describe("repairing a stream", () => {
  test("only adds to what was certain, and ends with the whole, for sound JSON in any parts", () => {
    fc.assert(
      fc.property(json, cuts, fc.constantFrom(0, 2), (value, at, indent) => {
        const text = JSON.stringify(value, null, indent);
        const { end } = pushAll(partsOf(text, at));
        expect(end).toMatchObject({ ok: true, value: JSON.parse(text) });
      }),
    );
  });

  test("never takes back what was certain, for any text in any parts", () => {
    const piece = fc.constantFrom(
      '{"a":',
      '"b"',
      "1",
      ",",
      "}",
      "]",
      "[",
      "tru",
      "e",
      '"x": ',
      "```json\n",
      "oops",
      "\\",
      " ",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), cuts, (pieces, at) => {
        const text = pieces.join("");
        const { certain, end } = pushAll(partsOf(text, at));
        if (end.ok && certain !== undefined) expect(extendsValue(end.value, certain)).toBe(true);
      }),
    );
  });

  test.each([
    'Sure, here you go:\n{"a": "x", "b": [1]}',
    '{"a": "say "hi" now", "b": [1]}',
    '{"a": "x" y", "b": [1, 2 3]}',
    '{"a": "one", two", "b": [1]}',
    '{"a": "x” y", "b": [1]}',
  ])("ends as the repair of the whole, and takes nothing back: %s", (text) => {
    const whole = repair(text);
    expect(whole.ok).toBe(true);
    for (const size of [1, 2, 7]) {
      const parts = text.match(new RegExp(`[^]{1,${size}}`, "gu")) ?? [];
      expect(pushAll(parts).end).toEqual(whole);
    }
  });

  test("skips a lead-in", () => {
    expect(createRepairStream().push('Sure, here you go:\n{"a": "x", "b":').value).toEqual({ a: "x" });
  });

  test("gives with a schema only what satisfies it as it stands", () => {
    const schema = {
      type: "object",
      properties: {
        n: { type: "integer" },
        list: { type: "array", items: { type: "integer" } },
        word: { enum: ["a"] },
      },
      additionalProperties: false,
    };
    const stream = createRepairStream(schema);
    expect(stream.push('{"n": "1", "extra": 5, "list": [1, "2", 3').value).toEqual({ list: [1] });
    expect(stream.push('], "word": "A"').value).toEqual({ list: [1] });
    stream.push("}");
    expect(stream.end()).toMatchObject({ ok: true, value: { n: 1, list: [1, 2, 3], word: "a" } });
  });

  test("shows a value as soon as it is complete, and no half of it", () => {
    const stream = createRepairStream();
    const seen = [
      '```json\n{"city": "Os',
      'lo", "inhabitants": 71',
      '7710, "is_capital": tr',
      "ue",
      "}\n```",
    ].map((part) => structuredClone(stream.push(part).value));
    expect(seen).toEqual([
      {},
      { city: "Oslo" },
      { city: "Oslo", inhabitants: 717_710 },
      { city: "Oslo", inhabitants: 717_710 },
      { city: "Oslo", inhabitants: 717_710, is_capital: true },
    ]);
  });

  test("takes no number and no word for certain before what follows them", () => {
    const stream = createRepairStream();
    expect(stream.push('{"total": 7530').value).toEqual({});
    expect(stream.push("x9").value).toEqual({});
    expect(stream.push(", ")).toEqual({ value: {}, isDamaged: true });
    expect(createRepairStream().push("true.").value).toBeUndefined();
  });

  test("ends what is certain at a depth that no value of ours has", () => {
    const stream = createRepairStream();
    for (let at = 0; at < 50_000; at += 1) stream.push("[");
    expect(stream.push("").isDamaged).toBe(true);
    expect(stream.end()).toMatchObject({ ok: false });
  });

  test("refuses where a later answer takes an earlier one back", () => {
    const schema = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
    const stream = createRepairStream(schema);
    expect(stream.push('{"a": 1}').value).toEqual({ a: 1 });
    stream.push('\nNo, the final answer is:\n{"a": 2}');
    expect(stream.end()).toMatchObject({ ok: false, code: "ambiguous" });
  });

  test("reads a provider's parts, as texts or as bytes", async () => {
    const bytes = new TextEncoder().encode('{"city": "Zürich", "age": 3');
    async function* parts(): AsyncGenerator<Uint8Array> {
      for (const byte of bytes) yield Uint8Array.of(byte);
    }
    const stream = repairStream(parts());
    const seen: unknown[] = [];
    let step = await stream.next();
    for (; step.done !== true; step = await stream.next()) seen.push(structuredClone(step.value.value));
    expect(seen).toEqual([{}, { city: "Zürich" }]);
    expect(step.value).toMatchObject({ ok: true, value: { city: "Zürich" } });
  });

  test.each([
    ["rows", JSON.stringify(Array.from({ length: 3000 }, (_, at) => ({ at, name: `row ${at}` })))],
    ["one text of escaped quotes", JSON.stringify('"'.repeat(40_000))],
    ["prose that never begins", "well, ".repeat(10_000)],
    ["blanks", " ".repeat(60_000)],
    ["digits", `[${"9".repeat(60_000)}`],
  ])("looks at each character a few times at most, in parts of three characters: %s", (_, text) => {
    const reader = new CertainReader(undefined);
    for (let at = 0; at < text.length; at += 3) reader.read(text.slice(at, at + 3));
    expect(reader.steps).toBeLessThan(4 * text.length + 40_000);
  });
});
