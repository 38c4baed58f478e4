import fc from "fast-check";
import { expect, it, test } from "vitest";
import { tokensAtMost } from "./index.ts";
import { costOf, PRICES_DEFAULT } from "./prices.ts";

const million = { input_tokens: 1_000_000, output_tokens: 1_000_000 };

test("prices a known model, and a dated name like the name without its date", () => {
  expect(costOf("gpt-5-mini", million)).toBe(2.25);
  expect(costOf("gpt-5-mini-2025-08-07", million)).toBe(2.25);
});

test("prices an unknown model as the dearest, so that a budget stops it early", () => {
  const dearest = Math.max(...Object.values(PRICES_DEFAULT).map((price) => price.input + price.output));
  for (const name of ["llama", "gpt-5-mini-turbo", "__proto__", "constructor", ""]) {
    expect(costOf(name, million)).toBe(dearest);
  }
});

test("lets an operator's price win, unless it is none", () => {
  expect(costOf("llama", million, { llama: { input: 0, output: 0 } })).toBe(0);
  expect(costOf("llama", million, { llama: { input: -1, output: Number.NaN } })).toBeGreaterThan(100);
});

test("prices input that the provider read from its cache apart, and as any other where no price is known", () => {
  const usage = { input_tokens: 1_000_000, cached_tokens: 600_000, output_tokens: 0 };
  expect(costOf("gpt-5", usage)).toBeCloseTo(0.4 * 1.25 + 0.6 * 0.125, 10);
  expect(costOf("mine", usage, { mine: { input: 2, output: 8 } })).toBe(2);
  expect(costOf("mine", usage, { mine: { input: 2, output: 8, cached: 0.5 } })).toBeCloseTo(1.1, 10);
  expect(costOf("mine", usage, { mine: { input: 2, output: 8, cached: -1 } })).toBeGreaterThan(2);
});

it("takes words at two letters a token, and what tokenizers may not know at one a byte", () => {
  expect(tokensAtMost("")).toBe(0);
  expect(tokensAtMost("refund the order")).toBe(3 + 2 + 3);
  expect(tokensAtMost("12345")).toBe(5);
  expect(tokensAtMost('{"a":1}')).toBe(7);
  expect(tokensAtMost("🙂🙂")).toBe(8);
  expect(tokensAtMost("請求書")).toBe(9);
});

it("is never below a third of the characters and never above the bytes, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
      const tokens = tokensAtMost(text);
      expect(tokens).toBeLessThanOrEqual(Buffer.byteLength(text));
      expect(tokens).toBeGreaterThanOrEqual(Math.floor(text.length / 3));
    }),
  );
});
