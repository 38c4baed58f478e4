import { describe, expect, test } from "vitest";
import { toAsciiDigits } from "../../text/to-ascii-digits.ts";
import { amountsIn, styleOf } from "./amounts-in-line.ts";
import { readFacts } from "./read-facts.ts";

const facts = (...lines: string[]) => readFacts([lines.join("\n")]);

describe("an amount", () => {
  test.each([
    ["Total  1.234,56 €", 1234.56],
    ["Total  1,234.56", 1234.56],
    ["Total TTC  1 234,56 €", 1234.56],
    ["Total TTC  1\u202f234,56 €", 1234.56],
    ["Total CHF  1'234.50", 1234.5],
    ["Summe  1’234.50", 1234.5],
    ["合計金額  １，２３４．５０", 1234.5],
    ["الإجمالي  ١٬٢٣٤٫٥٠", 1234.5],
    ["Σύνολο  1.234,56 €", 1234.56],
    ["ΣΥΝΟΛΟ  12,40 €", 12.4],
    ["Gesamtbetrag  -119,00 €", -119],
    ["Razem brutto  12 400,00 zł", 12_400],
    ["Att betala  14 784,00 kr", 14_784],
    ["Total  375", 375],
    ["Bitte zahlen Sie den Gesamtbetrag von 375,00 EUR bis zum 25. Januar 2026.", 375],
    ["Totaal te betalen  € 3.835,70", 3835.7],
  ])("is read as it is written: %s", (line, amount) => {
    expect(facts(line).gross.value).toBe(amount);
  });

  test("that can be read in two ways is not read", () => {
    expect(facts("Total  1.234 EUR").gross).toMatchObject({ value: null, unread: "ambiguous" });
    expect(facts("Preis  9,50", "Total  1.234 EUR").gross.value).toBe(1234);
    expect(facts("Price  9.50", "Total  1,234 EUR").gross.value).toBe(1234);
    // Two totals, of which nothing says which one holds.
    expect(facts("Grand total  12.00", "Total due  14.00").gross).toMatchObject({
      value: null,
      unread: "ambiguous",
    });
    expect(facts("Net  10.00", "VAT 20 %  2.00", "Grand total  12.00", "Total due  14.00").gross.value).toBe(
      12,
    );
  });

  test("is no percentage, day, number of a register or part of a word", () => {
    const style = styleOf("1.00 2.00");
    const of = (line: string): (number | null)[] => amountsIn(line, style).map(({ value }) => value);
    expect(of("VAT 19 % due 2026-05-01 or 01.05.2026, reg. 00743110157, A4, 12/2026")).toEqual([]);
    expect(of("3 x 4.50 = 13.50")).toEqual([3, 4.5, 13.5]);
  });

  test("of what is paid after a deposit or a withheld tax is not the total", () => {
    const { gross, payable } = facts(
      "Base imponible  1.000,00 €",
      "Retención IRPF  -150,00 €",
      "Total a pagar  1.060,00 €",
    );
    expect([gross.value, payable.value]).toEqual([null, 1060]);
  });
});

describe("a currency", () => {
  test.each([
    [["Total  $12.00"], null, "ambiguous"],
    [["Total  $12.00", "All amounts in USD"], "USD", null],
    [["Total  CA$12.00"], "CAD", null],
    [["Att betala  12,00 kr"], null, "ambiguous"],
    [["Att betala  12,00 kr", "Alla belopp i SEK"], "SEK", null],
    [["Total  12.00"], null, "not_stated"],
    [["Valor total  R$ 12,00"], "BRL", null],
    [["Total  USD 12.00", "or EUR 11.00"], "USD", null],
    [["Total  12.00", "Prices in USD", "Paid in EUR"], null, "ambiguous"],
    [["合計金額 ￥1200", "消費税 ￥100"], "JPY", null],
    [["Total ¥1200"], null, "ambiguous"],
  ] as const)("of %j is %s", (lines, currency, unread) => {
    expect(facts(...lines).currency).toMatchObject({ value: currency, unread });
  });
});

describe("a day", () => {
  test.each([
    ["Date: 14 May 2026", "2026-05-14"],
    ["Date: May 14, 2026", "2026-05-14"],
    ["Rechnungsdatum 30.09.2026", "2026-09-30"],
    ["Fecha: 2 de marzo de 2026", "2026-03-02"],
    ["Data wystawienia: 20 maja 2026 r.", "2026-05-20"],
    ["Factuurdatum: 30-04-2026", "2026-04-30"],
    ["Date : 03/09/2026 (facture)", "2026-09-03"],
    ["請求日：２０２６年５月２０日", "2026-05-20"],
    ["Date: 03/04/2026", null],
    ["Date: 31/02/2026", null],
  ])("%s is %s", (line, day) => {
    expect(facts(line).issue_date.value).toBe(day);
  });

  test("is settled by another one of the same paper", () => {
    expect(facts("Date: 03/04/2026", "Delivery date: 25/03/2026").issue_date.value).toBe("2026-04-03");
    expect(facts("Date: 03/04/2026", "Shipping date: 03/25/2026").issue_date.value).toBe("2026-03-04");
  });
});

test("digits of other scripts become ASCII one by one, so that places stay", () => {
  const text = "合計 １，２３４ / ١٬٢٣٤٫٥٠";
  expect(toAsciiDigits(text)).toBe("合計 1,234 / 1,234.50");
  expect(toAsciiDigits(text)).toHaveLength(text.length);
});
