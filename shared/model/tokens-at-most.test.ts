import fc from "fast-check";
import { expect, it } from "vitest";
import { tokensAtMost } from "./index.ts";

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
