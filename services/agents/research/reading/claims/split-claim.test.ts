import { describe, expect, test } from "vitest";
import { keepCarried } from "../../researcher/compare-figures.ts";
import { splitClaim, withSubject } from "./split-claim.ts";

describe("a sentence", () => {
  test.each([
    [
      "The orchard covers 40 hectares, and rust was found on the pear trees.",
      ["The orchard covers 40 hectares", "rust was found on the pear trees"],
    ],
    [
      "The mill was built in 1820, the wheel turns about 9 times a minute and a visit is 6 euros.",
      ["The mill was built in 1820", "the wheel turns about 9 times a minute", "a visit is 6 euros"],
    ],
    [
      "In May, 12 trains were late, most of them because of snow.",
      ["In May, 12 trains were late", "most of them because of snow"],
    ],
  ])("is split into what it states: %s", (sentence, clauses) => {
    expect(splitClaim(sentence)).toEqual(clauses);
  });

  test.each([
    "The bridge, a gift of the guild, was opened on 4 May 1901.",
    "The mill has 9 sacks of flour a day, averaged over 3 years.",
    "The mill grinds oats, barley and wheat.",
    "Nobody denied that the mill was sold and the wheel was broken.",
    "When the wheel was broken, the mill was sold.",
  ])("is left whole: %s", (sentence) => {
    expect(splitClaim(sentence)).toEqual([sentence]);
  });

  test("lends its subject to the next clause", () => {
    expect(withSubject("has 3 wheels", "The mill was built in 1820")).toBe("The mill has 3 wheels");
    expect(withSubject("the wheel was broken", "The mill was sold")).toBe("the wheel was broken");
  });
});

describe("a confirmation", () => {
  const kept = (claim: string, quote: string) =>
    keepCarried([{ stance: "for", wrote: claim, says: quote, quote, passage_id: "a#1" }], {
      claim: { claim, quote: claim },
      passages: [
        { passage_id: "a#1", source_id: "a", title: "Trains", publisher: "", published: "", text: quote },
      ],
    }).length;

  test("counts only with every word of the claim", () => {
    const quote = "The board says that 12 of 90 trains in May were late.";
    expect(kept("In May, 12 of the trains were late.", quote)).toBe(1);
    expect(kept("In May, 12 of the trains were late because of snow.", quote)).toBe(0);
  });

  test("is none by a figure that is said of another name", () => {
    const quote = "Two trains run here: the Anna, built in 1950, and the Berta, built in 1960.";
    expect(kept("The Berta was built in 1960", quote)).toBe(1);
    expect(kept("The Anna was built in 1960", quote)).toBe(0);
  });
});
