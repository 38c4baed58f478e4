import { describe, expect, test } from "vitest";
import { findUntold } from "./find-contradictions.ts";
import { saysOtherwise } from "./says-otherwise.ts";

const pair = (one: string, other: string, question = "", titles = ["The Merrow canal", "The Merrow canal"]) =>
  saysOtherwise(
    { quote: one, source_id: "a", title: titles[0] ?? "" },
    { quote: other, source_id: "b", title: titles[1] ?? "" },
    question,
  );

describe("two sources", () => {
  test.each([
    [
      "years, and a day of that year",
      "The light was made automatic in 1988, and the last keeper, Ada Reyes, left the canal on 4 October of that year.",
      "The keeper left in 1987, and since then nobody has lived there.",
    ],
    ["years", "The canal was opened in 1832.", "Work began in 1826, and the canal was opened in 1834."],
    ["days", "The canal was closed on 3 March 2021.", "The canal was closed on 13 March 2021."],
    ["counts", "It is 48 kilometres long and has 27 locks.", "The canal has 29 locks and is 30 miles long."],
    ["units", "The canal is 48 kilometres long.", "The canal is 40 miles long."],
    ["numbers in words", "The canal freezes for nine weeks.", "The canal freezes for twelve weeks."],
    ["denials", "Cycling on the towpath is allowed.", "Cycling on the towpath is not allowed."],
    ["names", "The canal was designed by Ada Reyes.", "The canal was designed by Tom Harkness."],
    ["a bound", "The canal has more than 40 locks.", "The canal has 27 locks."],
    ["in German", "Der Kanal wurde im Jahr 1832 eröffnet.", "Der Kanal wurde im Jahr 1834 eröffnet."],
  ])("disagree by %s", (_what, one, other) => {
    expect([pair(one, other), pair(other, one)]).toEqual([true, true]);
  });

  test.each([
    ["of different subjects", "The canal was opened in 1832.", "The café was opened in 1990."],
    ["of a part", "The canal has 27 locks.", "The upper branch of the canal has 12 locks."],
    ["of another deed", "The canal was opened in 1832.", "The canal was closed in 1964."],
    ["of years of a series", "In 2019 the canal had 410 boats.", "In 2020 the canal had 385 boats."],
    ["with decimals", "The canal is 27 kilometres long.", "The canal is 27.0 kilometres long."],
    ["about as much", "The canal has about 30 locks.", "The canal has 28 locks."],
    ["in other units", "The canal is 48 kilometres long.", "The canal is 30 miles long."],
    ["with a bound that holds", "The canal has more than 25 locks.", "The canal has 27 locks."],
    ["of what is planned", "The canal has 27 locks.", "The canal would have 29 locks."],
    ["of other quantities", "The canal has 27 locks.", "The canal is 29 miles long."],
  ])("do not disagree %s", (_what, one, other) => {
    expect([pair(one, other), pair(other, one)]).toEqual([false, false]);
  });

  test("do not disagree where only one of them is about what was asked", () => {
    const titles = ["The Merrow canal", "The Tarn canal"];
    expect(pair("It has 27 locks.", "It has 29 locks.", "How many locks has the Merrow canal?", titles)).toBe(
      false,
    );
  });

  test("disagree in every value of an answer, of any cited sentence", () => {
    const passages = [
      { passage_id: "b#1", source_id: "b", title: "The Merrow canal", text: "The canal has 29 locks." },
      { passage_id: "c#1", source_id: "c", title: "The Merrow canal", text: "The canal was opened in 1834." },
    ];
    const cited = [
      { quote: "The canal has 27 locks.", source_id: "a", title: "The Merrow canal" },
      { quote: "The canal was opened in 1832.", source_id: "a", title: "The Merrow canal" },
    ];
    const question = "How many locks does the canal have, and when was it opened?";
    expect(findUntold(cited, { question, passages }).map(({ quote }) => quote)).toEqual(
      passages.map(({ text }) => text),
    );
  });
});
