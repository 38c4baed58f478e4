import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { pageOfWords, pagesIn, shownPages, splitPages } from "./crew.ts";

type PageRange = ReturnType<typeof splitPages>[number];

const NOWHERE: PageRange = { first: 9, last: 9, from: 0, to: null };
const FACT = "«The Board resolved on 4711.»";

const filler = fc.oneof(
  { weight: 4, arbitrary: fc.constant("The minutes of the meeting were read and approved by all. ") },
  { weight: 2, arbitrary: fc.constant("会議の議事録は承認されました。") },
  { weight: 2, arbitrary: fc.constantFrom("\n\n", "\n", "एक निर्णय ", "👩‍👩‍👧‍👦", "e\u0301", "\uD83D", " ") },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.nat({ max: 6000 }).map((length) => "x".repeat(length)) },
  { weight: 1, arbitrary: fc.constant("\f") },
);

/** Pages of 5,000 to 300,000 characters, with the fact at a drawn place of one of them. */
const document = fc
  .record({
    pieces: fc.array(filler, { minLength: 1, maxLength: 60 }),
    length: fc.integer({ min: 5000, max: 300_000 }),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ pieces, length, at }) => {
    const block = pieces.join("") || ".";
    const text = block.repeat(Math.ceil(length / block.length)).slice(0, length);
    const place = Math.round(at * text.length);
    return `${text.slice(0, place)}${FACT}${text.slice(place)}`.split("\f");
  });

const placeOf = (pages: readonly string[]): { page: number; at: number } => {
  const page = pages.findIndex((one) => one.includes(FACT));
  return { page: page + 1, at: pages[page]?.indexOf(FACT) ?? -1 };
};

const holds = ({ first, last, from, to }: PageRange, { page, at }: { page: number; at: number }): boolean =>
  (page > first || (page === first && at >= from)) &&
  (page < last || (page === last && (to === null || at < to)));

describe("chunks of a text", () => {
  test("are all of it: a fact lies in one of them wherever it stands, whatever the script", () => {
    fc.assert(
      fc.property(document, (pages) => {
        const ranges = splitPages(pages);
        const place = placeOf(pages);
        for (const unit of [0, FACT.length - 1])
          expect(ranges.filter((one) => holds(one, { ...place, at: place.at + unit }))).toHaveLength(1);
        const parts = ranges.map((range) => pagesIn(pages, range));
        expect(parts.flat().join("")).toBe(pages.join(""));
        for (const part of parts) expect(part.join("").length).toBeLessThanOrEqual(4000);
      }),
      { numRuns: 60 },
    );
  });

  test("show a fact whole wherever it stands, over an edge of two of them too", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30_000 }), fc.boolean(), (at, hasSpaces) => {
        const around = (hasSpaces ? "word and word. " : "x").repeat(30_000).slice(0, 30_000);
        const pages = [`${around.slice(0, at)}${FACT}${around.slice(at)}`];
        const ranges = splitPages(pages);
        const shown = ranges.map((range) => shownPages(pages, range));
        expect(shown.some((one) => pageOfWords(one, FACT) === 1)).toBe(true);
      }),
      { numRuns: 200 },
    );
    // Exactly over an edge.
    const pages = ["y".repeat(3990) + FACT + "y".repeat(4000)];
    const [first, second] = splitPages(pages);
    expect(pagesIn(pages, first ?? NOWHERE).join("")).not.toContain(FACT);
    expect(pagesIn(pages, second ?? NOWHERE).join("")).not.toContain(FACT);
    expect(pageOfWords(shownPages(pages, second ?? NOWHERE), FACT)).toBe(1);
    // Over two pages.
    const turned = ["The board", "resolved it."];
    const whole = { first: 1, last: 2, from: 0, to: null };
    expect(pageOfWords(shownPages(turned, whole), "The board resolved it.")).toBe(1);
    expect(pageOfWords(shownPages(turned, whole), "The board refused it.")).toBeNull();
  });

  test("leave out pages that could not be read", () => {
    expect(splitPages(["one", "", "three"], [2])).toEqual([
      { first: 1, last: 1, from: 0, to: null },
      { first: 3, last: 3, from: 0, to: null },
    ]);
  });
});
