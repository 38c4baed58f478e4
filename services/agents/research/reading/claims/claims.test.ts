import { describe, expect, test } from "vitest";
import { compareClaim } from "./compare-claim.ts";
import { findDenied } from "./find-denied.ts";

const stanceOf = (claim: string, text: string, title = "Report on the Wend barrier") =>
  compareClaim(claim, { text, title });

describe("a claim", () => {
  test.each([
    [
      "The barrier cost 27 million euros.",
      "The barrier cost 2.7 million euros to build.",
      "27 million euros",
      "2.7 million euros",
    ],
    ["Each gate weighs 210 kilograms.", "Each gate weighs 210 tonnes.", "210 kilograms", "210 tonnes"],
    [
      "Heat was restored on 12 December 2022.",
      "Heat was restored on 15 December at 12:50.",
      "12 December 2022",
      "15 December",
    ],
    ["The barrier was opened in 2020.", "The barrier was opened in 2021.", "2020", "2021"],
    [
      "The builder, Nordhaven Marine, had a fixed price.",
      "The builder, Harland Marine, had a fixed price.",
      "Nordhaven Marine",
      "Harland Marine",
    ],
  ])("is contradicted, with the words of both: %s / %s", (claim, text, wrote, says) => {
    expect(stanceOf(claim, text)).toMatchObject({ stance: "against", wrote, says });
  });

  test.each([
    ["Boiling removes lead from water.", "Do not boil it, because boiling does not remove lead from water."],
    ["Boiling does not remove lead from water.", "Boiling removes lead from water."],
    ["The barrier cost 41.2 million euros.", "We do not believe that the barrier cost 41.2 million euros."],
  ])("is contradicted by a denial: %s / %s", (claim, text) => {
    expect(stanceOf(claim, text)).toMatchObject({ stance: "against", by: "denial" });
  });

  test.each([
    ["Each gate weighs 210,000 kg.", "Each gate of the barrier weighs 210 tonnes."],
    ["The gates weigh about 200 tonnes each.", "The gates weigh 205 tonnes each."],
    ["No loan was taken for the barrier.", "No loan was taken."],
    ["The barrier has four gates.", "The barrier has 4 gates, each 18 metres wide."],
  ])("is confirmed, whatever the unit and the rounding: %s / %s", (claim, text) => {
    expect(stanceOf(claim, text)).toMatchObject({ stance: "for" });
  });

  test.each([
    [
      "of something else",
      "The barrier cost 41 million euros.",
      "Running the barrier costs 610,000 euros a year.",
    ],
    ["of another year", "The library had 400 visits in 2021.", "The library had 500 visits in 2023."],
    ["of another line", "Line 5 has 16 stops.", "Line 4 has 12 stops."],
    ["of what is planned", "The organic share is 42 per cent.", "The organic share would be 60 per cent."],
    [
      "of what was not",
      "The barrier cost 12 million euros.",
      "We do not believe that the barrier cost 41 million euros.",
    ],
    ["without a figure that compares", "The barrier has 16 stops.", "The barrier is 18 metres wide."],
    ["without a shared word", "Die Tore wiegen 21 Tonnen.", "Each gate weighs 210 tonnes."],
  ])("is neither confirmed nor contradicted by a sentence %s", (_what, claim, text) => {
    expect(stanceOf(claim, text)).toBeNull();
  });
});

describe("what a question takes for granted", () => {
  const passages = [
    { source_id: "a", title: "The barrier", text: "The barrier cost 41.2 million euros to build." },
    { source_id: "b", title: "The barrier", text: "The barrier cost 47.9 million euros to build." },
  ];

  test("is denied where a source has another figure", () => {
    expect(findDenied("Why did the barrier cost 12 million euros to build?", passages)).toMatchObject({
      wrote: "12 million euros",
      says: "41.2 million euros",
    });
  });

  test.each([
    ["one source says the same", "Why did the barrier cost 47.9 million euros to build?"],
    ["it only names a year", "What did the barrier cost to build in 2017?"],
    ["it takes nothing for granted", "What did the barrier cost to build?"],
  ])("is not where %s", (_what, question) => {
    expect(findDenied(question, passages)).toBeNull();
  });
});
