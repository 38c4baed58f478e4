import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compareQuantities } from "./compare-quantities.ts";
import type { Comparison } from "./compare-quantities.ts";
import { readQuantities } from "./quantities.ts";

/** How the first figures of two texts relate. */
function compare(one: string, other: string): Comparison {
  const [a, b] = [readQuantities(one)[0], readQuantities(other)[0]];
  if (a === undefined || b === undefined) throw new Error(`no figure in: ${one} / ${other}`);
  return compareQuantities(a, b);
}

describe("figures", () => {
  test.each([
    ["7,800 metres", "7.8 kilometres"],
    ["210,000 kg of the steel", "210 tonnes"],
    ["4.85 miles", "7.8 kilometres"],
    ["Die Linie ist 7,8 Kilometer lang", "The line is 7.8 km long"],
    ["Es kostet 7.500 Euro", "It costs 7,500 euros"],
    ["41,2 Mio. Euro", "€ 41.2 million"],
    ["0.164 billion euros", "164 million euros"],
    ["about 400,000 visits", "402,000 visits"],
    ["400,000 visits of the library", "402,000 visits"],
    ["41 million euros", "41.2 million euros"],
    ["nine tonnes", "9 tonnes"],
    ["27 August 2022", "2022-08-27"],
    ["27. August 2022", "August 27, 2022"],
    ["le 27 août 2022", "27.08.2022"],
    ["14 December", "14 December 2022"],
    ["50 Prozent", "50 per cent"],
  ])("that say the same in other words: %s / %s", (one, other) => {
    expect(compare(one, other)).toBe("same");
    expect(compare(other, one)).toBe("same");
  });

  test.each([
    ["27 kilowatt hours", "2.7 kilowatt hours"],
    ["210 kilograms", "210 tonnes"],
    ["740,000 dollars", "740,000 euros"],
    ["7,400 homes in the town", "7,500 homes"],
    ["41 million euros", "47.9 million euros"],
    ["27 August 2023", "27 August 2022"],
    ["12 December 2022", "15 December"],
    ["15 stops", "16 stops"],
    ["610,000 euros a year", "780,000 euros a year"],
  ])("that differ: %s / %s", (one, other) => {
    expect(compare(one, other)).toBe("different");
    expect(compare(other, one)).toBe("different");
  });

  test.each([
    ["16 stops", "23 minutes"],
    ["12 million euros", "610,000 euros a year"],
    ["5 dollars", "7 euros"],
    ["31,000 of the visits", "402,000 visits"],
    ["line 4", "4 trams"],
  ])("that say nothing of each other: %s / %s", (one, other) => {
    expect(compare(one, other)).toBe("other");
  });

  test("are the same in kilograms and tonnes, and another ten times as much", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999 }), (kilograms) => {
        const tonnes = `The gate weighs ${kilograms / 1000} tonnes.`;
        const style = "point";
        const of = (text: string) => readQuantities(text, style)[0];
        const [ours, theirs, wrong] = [
          of(`The gate weighs ${kilograms} kg.`),
          of(tonnes),
          of(`The gate weighs ${kilograms * 10} kg.`),
        ];
        if (ours === undefined || theirs === undefined || wrong === undefined) throw new Error(tonnes);
        expect(compareQuantities(ours, theirs)).toBe("same");
        // Three decimals can be thousands to a reader who does not know the language.
        if (!/\.\d{3} /.test(tonnes)) expect(compareQuantities(wrong, theirs)).toBe("different");
      }),
    );
  });

  test("never throw, and take long hostile texts in time", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => void readQuantities(text)));
    for (const text of [
      "1,".repeat(20_000),
      "9".repeat(50_000),
      "1.1.1.".repeat(10_000),
      "€ ".repeat(30_000),
    ])
      readQuantities(text);
  });
});
