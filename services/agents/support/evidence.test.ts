import { describe, expect, test } from "vitest";
import { listNumbers, mentions, standsIn } from "./evidence.ts";

describe("what stands in a text", () => {
  test.each([
    ["Bitte\n  zahlen Sie 20 €", "bitte zahlen", true],
    ["ＧＥＬＤ ｚｕｒüｃｋ bitte", "geld zurück", true],
    ["Pay me", "ay", false],
    ["Yes", "yes", true],
    ["坏了。我要退款。", "我要退款", true],
    ["Pay me back", "pay you back", false],
  ])("a quotation: %j holds %j: %s", (text, quote, holds) => {
    expect(standsIn(text, quote)).toBe(holds);
  });

  test.each([
    ["order a-10234.", "A-10234", true],
    ["order A-10234", "10234", false],
    ["order 10234-1", "10234", false],
    ["DE02 1203 0000", "DE0212030000", true],
  ])("an id: %j holds %j: %s", (text, id, holds) => {
    expect(mentions(text, id)).toBe(holds);
  });

  test.each([
    ["I alt 1.250,00 kr.", [1250]],
    ["42,5 and 42.50 and 1'000", [42.5, 42.5, 1000]],
    ["2,400 people", [2400]],
    ["４２．５０ EUR", [42.5]],
  ])("numbers: %j holds %j", (text, numbers) => {
    expect(listNumbers(text)).toEqual(numbers);
  });
});
