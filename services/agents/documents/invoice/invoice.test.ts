import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvoiceAnswer } from "./answer.ts";
import type { Invoice } from "./answer.ts";
import { auditInvoice } from "./audit-invoice.ts";
import { isIban, isVatId } from "./checksums.ts";
import { readAmount, readAmounts } from "./reading/read-amounts.ts";
import { extractInvoice } from "../rehearsal/invoice.ts";

/** Runs the stand-in on a text file as the rehearsal server does. */
const extract = (text: string): Invoice => {
  const sha256 = createHash("sha256").update(text).digest("hex");
  return InvoiceAnswer.schema.parse(extractInvoice({ text, sha256 } as never, () => 0.5));
};

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
    const invoice = extract(read(name));
    expect(invoice).toMatchObject({ metadata: { number }, totals: { gross } });
    expect(auditInvoice(invoice, read(name)).map(({ code }) => code)).toEqual(codes);
  });

  test("of a text that was not recorded states its number and its total, and is sound", () => {
    const text = "Acme Ltd\n\nInvoice No: A-17\n2 hours of work  120.00\nTotal due: £ 1,240.50\n";
    const invoice = extract(text);
    expect(invoice).toMatchObject({
      metadata: { number: "A-17", currency: "GBP" },
      totals: { gross: 1240.5 },
    });
    expect(auditInvoice(invoice, text)).toEqual([]);
  });

  test("fits its contract whatever the text is, and names only what stands in it", () => {
    const words = readdirSync(FOLDER).flatMap((name) => read(name).split(/(?<=\s)/));
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 120 }), (chosen) => {
        const text = chosen.join("");
        const invoice = InvoiceAnswer.schema.safeParse(
          extractInvoice({ text, sha256: "0".repeat(64) } as never, () => 0.5),
        );
        expect(invoice.error?.issues ?? []).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});

describe("an audit", () => {
  const sound = (): Invoice => extract(read("us-services.txt"));

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
    const invoice = { ...sound(), totals: { net: 2635, tax: 131.75, gross: 9999.99, payable: null } };
    expect(auditInvoice(invoice, read("us-services.txt"))).toContainEqual(
      expect.objectContaining({ code: "not_in_document", path: "/totals/gross" }),
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

  test.each([
    ["DE136695976", true],
    ["DE136695977", false],
    ["ATU13585627", true],
    ["BE0428759497", true],
    ["BE0428759498", false],
    ["FR40303265045", true],
    ["GB123456782", true],
    ["XX123", null],
  ])("of the VAT number %s: %s", (number, holds) => {
    expect(isVatId(number)).toBe(holds);
  });
});

test("reads amounts in each way in which they are written", () => {
  expect(readAmount("1.234,56", ",")).toBe(1234.56);
  expect(readAmount("1,234.56", ".")).toBe(1234.56);
  expect(readAmount("1 234,56", ",")).toBe(1234.56);
  expect(readAmount("1'234.50", ".")).toBe(1234.5);
  expect(readAmount("12.5.3", ".")).toBeNull();
  expect(readAmounts("1.234 of them")).toEqual(expect.arrayContaining([1.234, 1234]));
});
