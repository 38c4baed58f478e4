import { expect, it } from "vitest";
import { readNumberWords } from "./number-words.ts";

it.each([
  ["forty-two euros fifty", 42.5],
  ["one hundred and five", 105],
  ["a hundred and twenty", 120],
  ["about a thousand seats", 1000],
  ["three thousand two hundred", 3200],
  ["one of them", null],
  ["no number here", null],
])("reads %s as %s", (text, value) => {
  expect(readNumberWords(text)).toBe(value);
});
