import fc from "fast-check";
import { expect, test } from "vitest";
import { INPUT_CHARS_MAX, recordInput, restoreInput } from "./recorded-input.ts";

const long = "The parcel with the blue vase never came, and nobody knows where it went. ".repeat(10);

test("gives any input back as it was, with and without what stands in the message", () => {
  const leaf = fc.oneof(fc.jsonValue(), fc.constantFrom(long, long.slice(40, 400), long.slice(100)));
  const value = fc.dictionary(fc.string(), fc.oneof(leaf, fc.array(leaf, { maxLength: 4 })), { maxKeys: 5 });
  fc.assert(
    fc.property(value, value, (input, payload) => {
      const text = JSON.stringify(input);
      const recorded = recordInput(text, payload);
      fc.pre(recorded.head === undefined);
      // As Redis gives it back.
      const kept = JSON.parse(JSON.stringify(recorded)) as typeof recorded;
      expect(JSON.stringify(restoreInput(kept, payload))).toBe(JSON.stringify(JSON.parse(text)));
      expect(recorded.chars).toBe(text.length);
    }),
  );
});

test("keeps the beginning of what is too large, without half of a character", () => {
  const text = JSON.stringify({ text: "😀".repeat(INPUT_CHARS_MAX) });
  const { head, chars } = recordInput(text, {});
  expect(head?.length).toBeLessThanOrEqual(INPUT_CHARS_MAX);
  expect(head?.isWellFormed()).toBe(true);
  expect(chars).toBe(text.length);
});
