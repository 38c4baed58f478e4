import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { countInPieces, loadTokenCounter, splitText } from "./tokens.ts";

describe("loadTokenCounter", () => {
  it("counts as the model's own table does, whatever words of its maker stand in the text", async () => {
    const [newer, older] = await Promise.all([
      loadTokenCounter("gpt-5-mini"),
      loadTokenCounter("gpt-4-turbo"),
    ]);
    expect(newer("Hello, world!")).toBe(4);
    expect(older("Hello, world!")).toBe(4);
    expect(newer("")).toBe(0);
    expect(newer("a <|endoftext|> b")).toBeGreaterThan(3);
  });

  it("never hands the table a run that it would take long over, and leaves out nothing of the text", () => {
    const pieces: string[] = [];
    const text = `short ${"a".repeat(100_000)} ${" ".repeat(70_000)}end`;
    countInPieces(text, (piece) => pieces.push(piece));
    expect(pieces.join("")).toBe(text);
    expect(pieces.some((piece) => /\S{65}|\s{65}/.test(piece))).toBe(false);
  });
});

const partsOf = (text: string, charactersMax: number): string[] =>
  splitText(text, charactersMax).map(({ from, to }) => text.slice(from, to));

const word = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z]{1,12}[.,]?$/) },
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("नमस्ते", "漢字。", "👩‍👩‍👧‍👦", "🇩🇪🇫🇷", "e\u0301\u0327", "\uD83D", "סלט", "\u{10FFFF}"),
);
const blank = fc.constantFrom("", " ", " ", " ", "\n", "\n\n", "\r\n");
const text = fc
  .array(fc.tuple(word, blank), { maxLength: 400 })
  .map((pieces) => pieces.map(([one, after]) => one + after).join(""));

describe("splitText", () => {
  test("leaves nothing out, whatever the text, and keeps each part within its bound", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 300 }), (whole, charactersMax) => {
        const parts = partsOf(whole, charactersMax);
        expect(parts.join("")).toBe(whole);
        expect(parts.every(({ length }) => length > 0 && length <= charactersMax)).toBe(true);
      }),
    );
  });

  test("cuts no pair of surrogates, and no character that fits", () => {
    const characters = new Intl.Segmenter("en", { granularity: "grapheme" });
    fc.assert(
      fc.property(text, fc.integer({ min: 40, max: 300 }), (whole, charactersMax) => {
        const starts = new Set([...characters.segment(whole)].map(({ index }) => index));
        const longest = Math.max(0, ...[...characters.segment(whole)].map(({ segment }) => segment.length));
        fc.pre(longest < 32);
        for (const { from } of splitText(whole, charactersMax)) expect(starts.has(from)).toBe(true);
      }),
    );
    expect(partsOf("😀😀😀", 3)).toEqual(["😀", "😀", "😀"]);
    // One character of twenty marks is longer than a part.
    expect(partsOf(`😀${"\u0301".repeat(20)}`, 5).join("")).toBe(`😀${"\u0301".repeat(20)}`);
    expect(partsOf(`a😀${"\u0301".repeat(9)}`, 2).every((part) => part.isWellFormed())).toBe(true);
  });

  test("cuts where a paragraph ends, else a line, a sentence, a word", () => {
    expect(partsOf("One two. Three four.\n\nFive six. Seven eight.", 40)).toEqual([
      "One two. Three four.\n\n",
      "Five six. Seven eight.",
    ]);
    expect(partsOf("One two. Three four five.", 20)).toEqual(["One two. Three four ", "five."]);
    expect(partsOf("One two three. Four five.", 20)).toEqual(["One two three. ", "Four five."]);
    expect(partsOf("one two three\nfour five six", 20)).toEqual(["one two three\n", "four five six"]);
  });
});
