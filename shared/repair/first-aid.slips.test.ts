import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";
import { firstAid } from "./first-aid.ts";

/** Every mark of a document dropped or doubled, one at a time: the document, or a refusal. */

const DOCUMENTS: readonly JsonValue[] = [
  {
    id: "A-17",
    count: 3,
    ok: true,
    tags: ["red", "dark blue"],
    inner: { city: "Oslo", lat: 59.9, none: null },
    lines: [
      { sku: "x1", qty: 2 },
      { sku: "y, z", qty: 10 },
    ],
  },
  { name: "Ann Lee", note: "He said: go, now (fast)", deep: { a: { b: { c: [true, false] } } }, last: "end" },
  [
    { a: 1, b: "t: u" },
    { a: 2, b: "{x}" },
    { a: 3, b: "[y]" },
  ],
  { title: "It's 5 o'clock", price: 12.5, urls: ["https://x.org/a?b=1,2", "http://y"], empty: {}, last: "z" },
];

function contractOf(value: JsonValue): JsonSchema {
  if (value === null) return { type: "null" };
  if (Array.isArray(value)) return { type: "array", items: contractOf(value[0] ?? null) };
  if (typeof value !== "object") return { type: typeof value };
  const properties = Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, contractOf(one ?? null)]),
  );
  return { type: "object", properties, required: Object.keys(value), additionalProperties: false };
}

/** Indexes of quotation marks, brackets, braces, commas and colons that are no part of a text. */
function marksOf(text: string): number[] {
  let isInString = false;
  return text.split("").flatMap((char, at) => {
    if (char === '"') isInString = !isInString;
    return char === '"' || (!isInString && "{}[],:".includes(char)) ? [at] : [];
  });
}

interface Slip {
  readonly text: string;
  readonly right: JsonValue;
}

function slipsOf(edit: (mark: string) => string): Slip[] {
  return DOCUMENTS.flatMap((right) =>
    [undefined, 2].flatMap((indent) => {
      const text = JSON.stringify(right, null, indent);
      return marksOf(text).map((at) => ({
        text: text.slice(0, at) + edit(text[at] ?? "") + text.slice(at + 1),
        right,
      }));
    }),
  );
}

function shareRead(slips: readonly Slip[], isContract: boolean): number {
  let read = 0;
  for (const { text, right } of slips) {
    const result = firstAid(text, isContract ? contractOf(right) : undefined);
    if (result.ok && isDeepStrictEqual(result.value, right)) read += 1;
    else if (isContract) expect(result.ok && result.value, text).toBe(false);
  }
  return read / slips.length;
}

describe("one mark", () => {
  test.each([
    { name: "dropped", edit: () => "", least: 0.88, leastWithout: 0.84 },
    { name: "doubled", edit: (mark: string) => mark + mark, least: 0.9, leastWithout: 0.8 },
  ])("$name gives the document under its contract, or a refusal", ({ edit, least, leastWithout }) => {
    const slips = slipsOf(edit);
    expect(shareRead(slips, true)).toBeGreaterThanOrEqual(least);
    expect(shareRead(slips, false)).toBeGreaterThanOrEqual(leastWithout);
  });
});
