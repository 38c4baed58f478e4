import { describe, expect, test } from "vitest";
import { quoted } from "./answer.ts";
import type { Invoice } from "./answer.ts";
import { auditInvoice } from "./audit-invoice.ts";
import { judgeInvoice } from "./agent.ts";

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
  const party = { vat_id: null, address: null };
  const stated: Invoice = {
    entities: [
      { id: "seller", kind: "seller", name: "Varvet", iban: null, ...party },
      { id: "account", kind: "account", name: "Varvet", iban, ...party },
    ],
    relationships: [{ from: "seller", relation: "is_paid_to", to: "account" }],
    metadata: {
      type: "invoice",
      number: "77",
      issue_date: "2026-05-03",
      due_date: null,
      currency: "SEK",
      language: "sv",
      order_reference: null,
    },
    lines: [],
    taxes: [],
    totals: { net: null, tax: null, gross: 1250, payable: null },
    lines_are_gross: false,
  };
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
