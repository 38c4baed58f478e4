import { describe, expect, test } from "vitest";
import { quoted } from "./answer.ts";
import type { Invoice } from "./answer.ts";
import { confirmFields } from "./confirm-fields.ts";
import type { ConfirmedField } from "./confirm-fields.ts";
import { holdsDay } from "./evidence.ts";
import { statedInvoice } from "../testing/stated-invoice.ts";

interface Said {
  readonly text: string;
  readonly gross: number;
  readonly currency: string;
  readonly language?: string;
  readonly more?: Partial<Invoice["totals"]>;
  readonly day?: string;
  readonly number?: string;
  readonly iban?: string;
  readonly isScan?: boolean;
  /** Answers of the second reading that differ from the first. */
  readonly second?: { amount?: number; currency?: string; account?: string | null; day?: string };
}

/** Holds an extraction against its document. The second reading quotes the line that holds what it says. */
function confirm(said: Said): (path: string) => ConfirmedField | undefined {
  const { text, gross, currency, language = "en", iban = null, second = {} } = said;
  const metadata = { number: said.number ?? null, issue_date: said.day ?? null, currency, language };
  const stated = statedInvoice({ iban, metadata, totals: { gross, ...said.more } });
  const quote = text.slice(0, 400);
  const account = second.account === undefined ? iban : second.account;
  const reading = quoted(
    {
      kind: "invoice",
      amount: { value: second.amount ?? said.more?.payable ?? gross, quote },
      account: account === null ? null : { value: account, quote },
      currency: { value: second.currency ?? currency, quote },
      issue_date: said.day === undefined ? null : { value: second.day ?? said.day, quote },
      due_date: null,
    },
    text,
  );
  const fields = confirmFields({ stated, second: reading, pages: [text], isScan: said.isScan ?? false });
  return (path) => fields.find((field) => field.path === path);
}

const GROSS = "/totals/gross";

describe("a right answer stands, whatever its label and notation", () => {
  test.each<[string, Said]>([
    ["To pay 555.00", { text: "To pay 555.00 GBP", gross: 555, currency: "GBP" }],
    [
      "I alt",
      {
        text: "I alt  1.555,00 kr\nSE nr. DK12345674",
        gross: 1555,
        currency: "DKK",
        language: "da",
      },
    ],
    ["Yhteensä", { text: "Yhteensä  1 234,50 €", gross: 1234.5, currency: "EUR", language: "fi" }],
    ["Toplam", { text: "Ödenecek Tutar  12.400,00 TRY", gross: 12_400, currency: "TRY", language: "tr" }],
    [
      "a narrow space",
      { text: "Total TTC  1\u202f234,56 €", gross: 1234.56, currency: "EUR", language: "fr" },
    ],
    [
      "full-width digits",
      { text: "合計金額  １，２３４．５０ 円", gross: 1234.5, currency: "JPY", language: "ja" },
    ],
    ["Arabic digits", { text: "الإجمالي  ١٬٢٣٤٫٥٠ SAR", gross: 1234.5, currency: "SAR", language: "ar" }],
    ["a currency in words", { text: "Please pay 375.00 euros.", gross: 375, currency: "EUR" }],
    ["a credit", { text: "Credited: 119.00 EUR", gross: -119, currency: "EUR" }],
    [
      "what is left after a deposit",
      {
        text: "Sum 500.00 CHF, deposit 100.00, rest 400.00",
        gross: 500,
        currency: "CHF",
        more: { payable: 400 },
      },
    ],
    [
      "an account in groups",
      {
        text: "Sum 12.00 EUR to DE89 3704 0044 0532 0130 00",
        gross: 12,
        currency: "EUR",
        iban: "DE89370400440532013000",
      },
    ],
    [
      "a scan that adds up",
      {
        text: "Netto 10.00 Steuer 1.90 Summe 11.90 EUR",
        gross: 11.9,
        currency: "EUR",
        more: { net: 10, tax: 1.9 },
        isScan: true,
      },
    ],
  ])("%s", (_what, said) => {
    const field = confirm(said);
    for (const path of [
      GROSS,
      "/metadata/currency",
      ...(said.iban === undefined ? [] : ["/entities/1/iban"]),
    ])
      expect([path, field(path)?.reason]).toEqual([path, null]);
  });
});

describe("a wrong one does not", () => {
  const TEXT = "Invoice 17\nNet 100.00\nTax 20.00\nSum 120.00 EUR to DE89370400440532013000";
  const RIGHT: Said = { text: TEXT, gross: 120, currency: "EUR", iban: "DE89370400440532013000" };
  test.each<[string, string, string, Said]>([
    ["made up", GROSS, "not_in_document", { ...RIGHT, gross: 999 }],
    ["another amount of the text", GROSS, "not_confirmed", { ...RIGHT, gross: 100, second: { amount: 120 } }],
    ["read twice in two ways", GROSS, "not_confirmed", { ...RIGHT, second: { amount: 100 } }],
    ["of which the second quotes nothing", GROSS, "not_confirmed", { ...RIGHT, second: { amount: 130 } }],
    ["another account", "/entities/1/iban", "not_confirmed", { ...RIGHT, second: { account: null } }],
    [
      "an account that stands nowhere",
      "/entities/1/iban",
      "not_in_document",
      { ...RIGHT, iban: "GB29NWBK60161331926819" },
    ],
    [
      "an assumed currency",
      "/metadata/currency",
      "not_in_document",
      { text: "Sum 120.00", gross: 120, currency: "EUR" },
    ],
    [
      "a currency that two read in two ways",
      "/metadata/currency",
      "not_confirmed",
      { ...RIGHT, second: { currency: "USD" } },
    ],
    [
      "a scan that does not add up",
      GROSS,
      "doubtful_scan",
      { ...RIGHT, more: { net: 100, tax: 26 }, isScan: true },
    ],
    [
      "a word that was hardly read",
      GROSS,
      "doubtful_scan",
      { text: "Sum 120.00[?] EUR", gross: 120, currency: "EUR" },
    ],
    [
      "what is left after a deposit",
      "/totals/payable",
      "not_confirmed",
      { ...RIGHT, more: { payable: 20 }, second: { amount: 120 } },
    ],
    [
      "a day of another month",
      "/metadata/issue_date",
      "not_confirmed",
      { ...RIGHT, text: `${TEXT}\n3 May 2026`, day: "2026-06-03", second: { day: "2026-05-03" } },
    ],
    [
      "another day",
      "/metadata/issue_date",
      "not_in_document",
      { ...RIGHT, text: `${TEXT}\n3 May 2026`, day: "2026-05-04" },
    ],
    ["a number of no document", "/metadata/number", "not_in_document", { ...RIGHT, number: "18" }],
  ])("%s", (_what, path, reason, said) => {
    expect(confirm(said)(path)).toMatchObject({ value: null, reason });
  });
});

test.each([
  ["3. marts 2026", "2026-03-03", true],
  ["5 września 2026", "2026-09-05", true],
  ["3 de mayo de 2026", "2026-05-03", true],
  ["May 3rd, 2026", "2026-05-03", true],
  ["2026年5月3日", "2026-05-03", true],
  ["03/04/2026", "2026-04-03", true],
  ["03.04.26", "2026-04-03", true],
  ["13 May 2026", "2026-05-03", false],
  ["2026-05-04", "2026-05-03", false],
  ["Date: 03/05/2026", "2026-04-03", false],
])("a day in a text: %s, %s: %s", (text, day, found) => {
  expect(holdsDay(text, day)).toBe(found);
});
