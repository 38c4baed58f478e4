import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import recorded from "../testing/invoices.json" with { type: "json" };
import { InvoiceAnswer, quoted } from "./answer.ts";
import type { Invoice } from "./answer.ts";
import { auditInvoice, isIban } from "./audit-invoice.ts";
import { holdsAmount, readAmount } from "./evidence.ts";
import { judgeInvoice } from "./agent.ts";
import { statedInvoice } from "../testing/stated-invoice.ts";

const extractionOf = (name: string): Invoice =>
  InvoiceAnswer.schema.parse(recorded.find(({ file }) => file === `eval/files/${name}`)?.answer);

const FOLDER = new URL("../eval/files/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, FOLDER), "utf8");

describe("an extraction", () => {
  test.each([
    ["facture-menuisier.txt", "F-2026-118", 2340, []],
    ["us-services.txt", "CR-2041", 2766.75, []],
    ["gutschrift.txt", "GS-0417", -119, []],
    ["wrong-tax.txt", "2026/55", 317.73, ["tax_amount"]],
    ["due-before.txt", "TP-77", 120, ["due_before_issue"]],
    ["injected-invoice.txt", "FR-9001", 275, []],
  ])("of %s states what stands there", (name, number, gross, codes) => {
    const invoice = extractionOf(name);
    expect(invoice).toMatchObject({ metadata: { number }, totals: { gross } });
    expect(auditInvoice(invoice, read(name)).map(({ code }) => code)).toEqual(codes);
  });
});

describe("an audit", () => {
  const sound = (): Invoice => extractionOf("us-services.txt");

  test("finds a total that is off by a cent, a line and a tax, each where it stands", () => {
    const invoice = sound();
    const spoilt = (totals: Partial<Invoice["totals"]>): string[] =>
      auditInvoice({ ...invoice, totals: { ...invoice.totals, ...totals } }, null).map(({ code }) => code);
    expect(spoilt({})).toEqual([]);
    expect(spoilt({ gross: 2766.76 })).toEqual(["gross_sum"]);
    expect(spoilt({ net: 2635.01 })).toEqual(["lines_sum", "gross_sum"]);
    expect(spoilt({ tax: 131.76 })).toEqual(["taxes_sum", "gross_sum"]);
  });

  test("says of a value that the document does not hold that a model made it up", () => {
    const invoice = { ...sound(), taxes: [{ rate: 5, base: null, amount: 9999.99 }] };
    expect(auditInvoice(invoice, read("us-services.txt"))).toContainEqual(
      expect.objectContaining({ code: "not_in_document", path: "/taxes/0/amount" }),
    );
  });

  test("changes nothing of what was stated", () => {
    const invoice = sound();
    const before = JSON.stringify(invoice);
    auditInvoice(invoice, read("us-services.txt"));
    expect(JSON.stringify(invoice)).toBe(before);
  });
});

describe("check digits", () => {
  test.each([
    "DE89370400440532013000",
    "FR1420041010050500013M02606",
    "GB29NWBK60161331926819",
    "BE68539007547034",
  ])("hold in %s, and in nothing that one digit tells from it", (iban) => {
    expect(isIban(iban)).toBe(true);
    for (let at = 4; at < iban.length; at += 1) {
      const digit = iban[at] ?? "";
      if (!/\d/.test(digit)) continue;
      expect(isIban(`${iban.slice(0, at)}${(Number(digit) + 1) % 10}${iban.slice(at + 1)}`)).toBe(false);
    }
  });
});

test("reads amounts in each way in which they are written", () => {
  expect(readAmount("1.234,56", ",")).toBe(1234.56);
  expect(readAmount("1,234.56", ".")).toBe(1234.56);
  expect(readAmount("1 234,56", ",")).toBe(1234.56);
  expect(readAmount("1'234.50", ".")).toBe(1234.5);
  expect(readAmount("12.5.3", ".")).toBeNull();
  expect(holdsAmount("1.234 of them", 1234)).toBe(true);
  expect(holdsAmount("11.234 of them", 1234)).toBe(false);
});

const SHA256 = "0".repeat(64);
const TEXT = [
  "Faktura 77, 2026-05-03",
  "Att betala  1.250,00 SEK",
  "Bankgiro 5050-1055",
  "PlusGiro 28 65 43-4",
  "DE89370400440532013000",
].join("\n");

interface Readings {
  /** The first reading's account, as the contract takes it. */
  readonly iban?: string;
  readonly second?: { amount?: number; account?: string | null; currency?: string; kind?: "other" };
}

/** Judges an invoice of two readings, of which the second quotes the whole text. */
function judge({ iban = "5050-1055", second = {} }: Readings) {
  const metadata = { number: "77", issue_date: "2026-05-03", currency: "SEK", language: "sv" };
  const stated = statedInvoice({ iban, metadata, totals: { gross: 1250 } });
  const { amount = 1250, account = iban, currency = "SEK", kind = "invoice" } = second;
  const reading: Parameters<typeof quoted>[0] = {
    kind,
    amount: { value: amount, quote: TEXT },
    account: account === null ? null : { value: account, quote: TEXT },
    currency: { value: currency, quote: TEXT },
    issue_date: { value: "2026-05-03", quote: TEXT },
    due_date: null,
  };
  const reference = { uri: `sha256:${SHA256}`, sha256: SHA256, bytes: 1 };
  return judgeInvoice({
    document: {
      file: { ...reference, name: "faktura.txt", mime_type: "text/plain" },
      question: null,
      content: { kind: "pages", pages: { ...reference, pages: 1, characters: TEXT.length }, ocr: null },
      tags: ["invoice"],
      description: "An invoice.",
      type: "invoice",
      reasons: [],
    },
    stated,
    second: quoted(reading, TEXT),
    pages: [TEXT],
    isScan: false,
    findings: auditInvoice(stated, TEXT),
  });
}

describe("an account number that is no IBAN", () => {
  test.each(["5050-1055", "50501055", "286543-4"])("is taken where both readings say it: %s", (iban) => {
    const { status, invoice, fields, findings } = judge({ iban });
    expect([status, findings]).toEqual(["sound", []]);
    expect(invoice.entities[1]?.iban).toBe(iban);
    expect(fields.at(-1)).toMatchObject({ path: "/entities/1/iban", confidence: "confirmed" });
  });

  test.each<[string, Readings, string]>([
    ["stands nowhere", { iban: "5050-1056" }, "not_in_document"],
    ["is another in the second reading", { second: { account: "28 65 43-4" } }, "not_confirmed"],
    ["is an IBAN in the second reading", { second: { account: "DE89370400440532013000" } }, "not_confirmed"],
  ])("that %s goes to a person, and is in no result", (_what, readings, code) => {
    const { status, reasons, invoice } = judge(readings);
    expect(status).toBe("for_a_person");
    expect(reasons).toMatchObject([{ code, path: "/invoice/entities/1/iban" }]);
    expect(invoice.entities[1]?.iban).toBeNull();
  });
});

test.each<[string, Readings["second"], string, string]>([
  ["the amount", { amount: 77 }, "not_confirmed", "/invoice/totals/gross"],
  ["the account", { account: null }, "not_confirmed", "/invoice/entities/1/iban"],
  ["the currency", { currency: "EUR" }, "not_confirmed", "/invoice/metadata/currency"],
  ["what it is", { kind: "other" }, "type_disputed", "/invoice/metadata/type"],
])("two readings that differ over %s go to a person", (_what, second, code, path) => {
  expect(judge({})).toMatchObject({ status: "sound", reasons: [] });
  expect(judge({ second: second ?? {} })).toMatchObject({
    status: "for_a_person",
    reasons: [{ code, path }],
  });
});
