import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quote, quoteShort, withoutControls } from "./quote.ts";

/**
 * Texts as nobody should write them: any unit of UTF-16, and what steers or hides, more often than chance would
 * have it.
 */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        "\u0000",
        "\u001b[2J",
        "\u202e",
        "\u2066",
        "\u200b",
        "\ufeff",
        "\u{e0041}",
        "\ufe01\ufe02",
      ),
      fc.constantFrom("\u2028", "\u2029", "\u0085", "\ud83d", "\u3164", "\n", "<<end ", ">>", "<<message "),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(""));

const FORBIDDEN =
  /[\p{Cc}--[\n\r\t]]|[\p{Cf}--[\u200c\u200d]]|[\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2}/v;

function partsOf(quoted: string): { mark: string; inner: string } {
  const [first = "", ...rest] = quoted.split("\n");
  return { mark: /^<<message (.*)>>$/.exec(first)?.[1] ?? "", inner: rest.slice(0, -1).join("\n") };
}

describe("a quote", () => {
  it("never holds its own delimiter, whatever the text holds, and however marks are drawn", () => {
    const marks = fc.array(fc.constantFrom("0", "a", "ab", "end ", ""), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(anyText, marks, (text, drawn) => {
        let next = 0;
        // The worst luck there is: short marks, again and again, taken from the text itself.
        const newMark = (): string => {
          next += 1;
          return next % 2 === 0 ? text.replaceAll(/\W/g, "").slice(0, 3) : (drawn[next % drawn.length] ?? "");
        };
        const { mark, inner } = partsOf(quote("message", text, newMark));
        expect(mark).not.toBe("");
        expect(inner.includes(mark)).toBe(false);
        expect(inner).toBe(withoutControls(text));
      }),
    );
  });

  it("draws another mark each time", () => {
    const marks = Array.from({ length: 50 }, () => partsOf(quote("message", "x")).mark);
    expect(new Set(marks).size).toBe(50);
    expect(marks.every((mark) => /^[0-9a-f]{16}$/.test(mark))).toBe(true);
  });

  it("holds nothing that steers a terminal or hides words", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(quote("message", text)).not.toMatch(FORBIDDEN);
        expect(withoutControls(withoutControls(text))).toBe(withoutControls(text));
      }),
    );
  });

  it("keeps what languages need: line breaks, joiners, a selector behind its character", () => {
    const text = "नमस्‍ते\tمی‌خواهم\r\n👩‍🚀 ❤️ 葛\u{e0100}城";
    expect(withoutControls(text)).toBe(text);
  });
});

describe("a short quote", () => {
  it("is bounded, and says how much it left out of the middle", () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 8, max: 60 }), (text, max) => {
        const short = quoteShort(text, max);
        const plain = withoutControls(text);
        if (plain.length <= max) expect(short).toBe(plain);
        else expect(short.length).toBeLessThanOrEqual(max + 60);
        expect(short).not.toMatch(FORBIDDEN);
      }),
    );
    expect(quoteShort("a".repeat(50) + "b".repeat(50), 20)).toBe(
      `${"a".repeat(15)} … 80 characters left out … ${"b".repeat(5)}`,
    );
  });
});
