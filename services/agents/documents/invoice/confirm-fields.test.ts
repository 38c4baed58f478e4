import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InvoiceAnswer } from "./answer.ts";
import type { Invoice } from "./answer.ts";
import { confirmFields } from "./confirm-fields.ts";
import { extractInvoice } from "../rehearsal/invoice.ts";

const extract = (text: string): Invoice =>
  InvoiceAnswer.schema.parse(extractInvoice({ text, sha256: "0".repeat(64) } as never, () => 0.5));

const read = (name: string): string =>
  readFileSync(new URL(`../eval/files/${name}`, import.meta.url), "utf8");

/** What stands for a field after a model answered something of its own. */
const held = (
  text: string,
  totals: Partial<Invoice["totals"]>,
  metadata: Partial<Invoice["metadata"]> = {},
) => {
  const answer = extract(text);
  const { invoice, fields } = confirmFields(
    { ...answer, totals: { ...answer.totals, ...totals }, metadata: { ...answer.metadata, ...metadata } },
    [text],
    false,
  );
  return { ...invoice, reasonOf: (path: string) => fields.find((one) => one.path === path)?.reason };
};

const NL = read("nl-factuur.txt");

describe("a model's answer", () => {
  test("stands with its line and its page where the text says so beside the field's name", () => {
    const { fields } = confirmFields(extract(NL), ["Een brief.", NL], false);
    expect(fields.find(({ path }) => path === "/totals/gross")).toMatchObject({
      value: 3835.7,
      confidence: "confirmed",
      page: 2,
      quote: expect.stringMatching(/^Totaal te betalen/),
    });
    expect(fields.filter(({ confidence }) => confidence === "confirmed")).toHaveLength(8);
  });

  test("that invents a total is not taken, and neither is another amount of the same text", () => {
    expect(held(NL, { gross: 9999.99 })).toMatchObject({ totals: { gross: null } });
    expect(held(NL, { gross: 9999.99 }).reasonOf("/totals/gross")).toBe("not_in_document");
    for (const other of [3170, 665.7, 2720, 85, 32, -3835.7])
      expect(held(NL, { gross: other }).reasonOf("/totals/gross"), String(other)).toBe("not_confirmed");
  });

  test("never gets a sum through that is not the labelled one, whatever it is", () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), (gross) => {
        const taken = held(NL, { gross, net: gross, tax: gross, payable: gross }).totals;
        expect([null, 3835.7]).toContain(taken.gross);
        expect([null, 3170]).toContain(taken.net);
        expect([null, 665.7]).toContain(taken.tax);
        expect([null, 3835.7]).toContain(taken.payable);
      }),
      { numRuns: 100 },
    );
  });

  test("that does what an order in the text says is not taken", () => {
    const text = read("fr-nouvel-iban.txt");
    const obeyed = held(text, { gross: 3960 }, { currency: "USD" });
    expect(obeyed).toMatchObject({ totals: { gross: null }, metadata: { currency: null } });
  });

  test.each([
    ["en-no-currency.txt", "EUR", "not_stated"],
    ["fr-sans-devise.txt", "EUR", "not_stated"],
    ["en-bare-dollar.txt", "USD", "ambiguous"],
    ["sv-faktura-kr.txt", "SEK", "ambiguous"],
    ["nl-factuur.txt", "USD", "not_confirmed"],
  ])("that assumes a currency for %s is not taken", (name, currency, reason) => {
    const answer = held(read(name), {}, { currency });
    expect(answer.metadata.currency).toBeNull();
    expect(answer.reasonOf("/metadata/currency")).toBe(reason);
  });

  test("that decides an ambiguous day, or a number of another paper, is not taken", () => {
    const day = held(read("en-ambiguous-date.txt"), {}, { issue_date: "2026-04-03" });
    expect([day.metadata.issue_date, day.reasonOf("/metadata/issue_date")]).toEqual([null, "ambiguous"]);
    const made = held(NL, {}, { number: "2026-059" });
    expect([made.metadata.number, made.reasonOf("/metadata/number")]).toEqual([null, "not_in_document"]);
    expect(held(NL, {}, { number: "61234567" }).metadata.number).toBeNull();
  });

  test("is money off a picture only where it adds up, and never by a word that was hardly read", () => {
    const scan = (text: string): Invoice["totals"] =>
      confirmFields(extract(text), [text], true).invoice.totals;
    const text =
      "INVOICE 7\nDate: 2026-05-01\nCustomer: A\nSubtotal  EUR 229.00\nVAT 20 %  EUR 45.80\nTotal  EUR 274.80\n";
    expect(scan(text).gross).toBe(274.8);
    // One digit misread with confidence.
    expect(scan(text.replace("274.80", "214.80")).gross).toBeNull();
    expect(scan(text.replace("274.80", "274.80[?]")).gross).toBeNull();
    expect(scan("RECEIPT\nTea  5.00\nScone  3.20\nTOTAL  GBP 8.20\n").gross).toBe(8.2);
    expect(scan("RECEIPT\nTOTAL  GBP 8.20\n").gross).toBeNull();
  });
});
