import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { answerOf, readLines, repairLine } from "./repair-command.ts";
import type { Line } from "./repair-command.ts";

async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function collect(bytes: Buffer, size: number, bytesMax?: number): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines(chunks(bytes, size), bytesMax)) lines.push(line);
  return lines;
}

/** The summary that a line gets without `--json`. */
function answer(text: string, schema?: Record<string, unknown>): object {
  return answerOf(repairLine({ text }, schema), false);
}

const SCHEMA = { type: "object", properties: { total: { type: "integer" } }, required: ["total"] };

describe("lines of a batch", () => {
  test("are the same however the bytes arrive", async () => {
    const texts = fc.array(
      fc.string({ unit: "grapheme", maxLength: 20 }).map((text) => text.replaceAll("\n", "")),
      { maxLength: 8 },
    );
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 40 }), async (lines, size) => {
        const bytes = Buffer.from(lines.join("\n"));
        expect(await collect(bytes, size)).toEqual(await collect(bytes, bytes.length + 1));
      }),
    );
  });

  test("that are too long or not UTF-8 are reported, and the next are read", async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${"x".repeat(50)}\n`),
      Buffer.from([0xff, 0x0a]),
      Buffer.from("ok"),
    ]);
    for (const size of [1, 7, 1000]) {
      expect(await collect(bytes, size, 20)).toEqual([
        { problem: "too_long" },
        { problem: "not_utf8" },
        { text: "ok" },
      ]);
    }
  });
});

describe("one line of a batch", () => {
  test("gives the repaired value with its cost", () => {
    const text = JSON.stringify({ id: 7, input: "{'total': '12',}", schema: SCHEMA });
    expect(answer(text)).toMatchObject({ id: 7, ok: true, value: { total: 12 } });
  });

  test("takes a value that was parsed already", () => {
    expect(answer(JSON.stringify({ id: 7, input: { total: "12" } }), SCHEMA)).toMatchObject({
      ok: true,
      value: { total: 12 },
      reason: "text_to_number",
    });
  });

  test("uses the schema of the command where it brings none", () => {
    const text = JSON.stringify({ id: "a", input: "{}" });
    expect(answer(text, SCHEMA)).toMatchObject({ id: "a", ok: false, value: null, cost: null });
  });

  test("is always answered, whatever stands in it, and with evidence or candidates where asked", () => {
    const lines = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((input) => JSON.stringify({ id: 1, input, schema: { type: input } })),
    );
    fc.assert(
      fc.property(lines, (text) => {
        const result = repairLine({ text }, undefined);
        const summary = answerOf(result, false);
        expect(Object.keys(summary).toSorted()).toEqual(["cost", "id", "ok", "reason", "value"]);
        expect(JSON.parse(JSON.stringify(summary))).toMatchObject({ ok: result.result.ok });
        expect(answerOf(result, true)).toHaveProperty(result.result.ok ? "evidence.values" : "candidates");
      }),
    );
  });

  test.each([{ $ref: "#/nowhere" }, { type: 7 }, { pattern: "(" }, { properties: null }, { enum: "a" }])(
    "survives the broken schema %j",
    (schema) => {
      const text = JSON.stringify({ id: 1, input: "{'a': 1}", schema });
      expect(answerOf(repairLine({ text }, undefined), true)).toHaveProperty("ok");
    },
  );
});
