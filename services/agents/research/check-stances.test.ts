import { describe, expect, test } from "vitest";
import { checkReadings } from "./check-quotes.ts";
import { checkStances } from "./check-stances.ts";
import type { Stance } from "./contract-fields.ts";
import { compareFigures, joinStances } from "./researcher/compare-figures.ts";

const PASSAGES = [
  {
    passage_id: "a#1",
    source_id: "a",
    title: "Heat pumps",
    publisher: "Journal",
    published: "2024-04-08",
    text: "The pump delivers 2.7 kilowatt hours of heat. It is 12 metres long and was built in 2020.",
  },
  {
    passage_id: "b#1",
    source_id: "b",
    title: "Heat pumps",
    publisher: "Brochure",
    published: "2023",
    text: "The pump delivers 3.1 kilowatt hours of heat.",
  },
];
const CLAIM = {
  claim: "The pump delivers 27 kilowatt hours.",
  quote: "The pump delivers 27 kilowatt hours of heat and is 12 metres long.",
};
const SOUND: Stance = {
  stance: "against",
  wrote: "27 kilowatt hours",
  says: "2.7 kilowatt hours",
  quote: "The pump delivers 2.7 kilowatt hours of heat.",
  passage_id: "a#1",
};

const codesOf = (...stances: Stance[]): string[] =>
  checkStances(stances, { claim: CLAIM, passages: PASSAGES }).map(({ code }) => code);

describe("what a model says for and against a claim", () => {
  test("is taken where both sides' words stand where they should", () => {
    expect(codesOf(SOUND)).toEqual([]);
    expect(codesOf({ ...SOUND, wrote: "27", says: "2.7" })).toEqual([]);
  });

  test.each([
    [
      "an invented quotation",
      { quote: "The pump delivers 2.8 kilowatt hours of heat.", says: "2.8" },
      "invented_quotation",
    ],
    ["a passage that was not read", { passage_id: "c#1" }, "unknown_source"],
    ["another source's words", { passage_id: "b#1" }, "invented_quotation"],
    ["words that the user did not write", { wrote: "28 kilowatt hours" }, "invented_words"],
    ["a piece of a figure", { says: "7 kilowatt hours" }, "invented_words"],
    ["figures of different things", { wrote: "12 metres", says: "2.7 kilowatt hours" }, "no_contradiction"],
    ["a confirmation without the figure", { stance: "for" }, "figure_not_confirmed"],
  ] satisfies [string, Partial<Stance>, string][])("is refused with %s", (_what, change, code) => {
    expect(codesOf({ ...SOUND, ...change })).toContain(code);
  });

  test("is refused as a contradiction where only the unit or the language differs", () => {
    const claim = {
      claim: "c",
      quote: "Die Pumpe liefert 2,7 Kilowattstunden und ist 1.200 Zentimeter lang.",
    };
    const issues = checkStances(
      [
        { ...SOUND, wrote: "2,7 Kilowattstunden" },
        {
          ...SOUND,
          wrote: "1.200 Zentimeter",
          says: "12 metres",
          quote: "It is 12 metres long and was built in 2020.",
        },
      ],
      { claim, passages: PASSAGES },
    );
    expect(issues.map(({ code }) => code)).toEqual(["no_contradiction", "no_contradiction"]);
  });

  test("cannot leave out what figures show, nor turn it round", () => {
    const claim = { claim: "c", quote: "The pump delivers 27 kilowatt hours of heat." };
    const counted = compareFigures(claim, PASSAGES);
    expect(counted.map(({ stance, says }) => [stance, says])).toEqual([
      ["against", "2.7 kilowatt hours"],
      ["against", "3.1 kilowatt hours"],
    ]);
    expect(joinStances([], counted)).toHaveLength(2);
    expect(joinStances([{ ...SOUND, stance: "for" }], counted).map(({ stance }) => stance)).toEqual([
      "against",
      "against",
    ]);
  });
});

describe("a statement", () => {
  const reading = (statement: string) => ({ statement, quote: SOUND.quote, passage_id: "a#1" });

  test.each(["It delivers 2.7 kWh.", "Sie liefert 2,7 kWh, so das Journal 2024.", "It delivers heat."])(
    "has the figures of its quotation: %s",
    (statement) => {
      expect(checkReadings([reading(statement)], PASSAGES, "/readings")).toEqual([]);
    },
  );

  test.each(["It delivers 27 kWh.", "It delivers 2.7 kWh since 2020.", "Sie liefert 2,8 kWh."])(
    "is refused with another: %s",
    (statement) => {
      expect(checkReadings([reading(statement)], PASSAGES, "/readings")).toMatchObject([
        { code: "invented_figure", path: "/readings/0/statement" },
      ]);
    },
  );
});
