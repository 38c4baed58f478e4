import { decide, notStated } from "./reading.ts";
import type { InvoiceFacts, Line, Reading } from "./reading.ts";

const ROOT = /<(?:\w+:)?(?:Invoice|CreditNote)\b[^>]*urn:oasis:names:specification:ubl/;

/** Reads an invoice's facts off the elements of UBL, which are the same in every language; null for other texts. */
export function readUblFacts(pages: readonly string[]): InvoiceFacts | null {
  const [text = ""] = pages;
  if (!ROOT.test(text)) return null;
  const all = pages.join("\n");
  const words = (element: string): Reading<string> => one(all, element, (found) => found);
  const amount = (element: string, within = all): Reading<number> => one(within, element, Number);
  const totals = /<(?:\w+:)?LegalMonetaryTotal>[\s\S]*?<\/(?:\w+:)?LegalMonetaryTotal>/.exec(all)?.[0] ?? "";
  const gross = amount("TaxInclusiveAmount", totals);
  const subtotals = all.match(/<(?:\w+:)?TaxSubtotal>[\s\S]*?<\/(?:\w+:)?TaxSubtotal>/g) ?? [];
  return {
    number: words("ID"),
    issue_date: words("IssueDate"),
    due_date: words("DueDate"),
    currency: words("DocumentCurrencyCode"),
    net: amount("TaxExclusiveAmount", totals),
    tax: amount("TaxAmount"),
    gross: gross.value === null ? amount("PayableAmount", totals) : gross,
    payable: amount("PayableAmount", totals),
    taxes: subtotals.flatMap((part) => {
      const [rate, sum] = [amount("Percent", part).value, amount("TaxAmount", part).value];
      return rate === null || sum === null ? [] : [{ rate, amount: sum }];
    }),
  };
}

/** The first element of a name: a document's own values stand before those of its lines. */
function one<Value>(text: string, element: string, read: (found: string) => Value): Reading<Value> {
  const found = new RegExp(`<(?:\\w+:)?${element}(?: [^>]*)?>([^<]+)<`).exec(text);
  const value = found?.[1]?.trim();
  if (found === null || value === undefined || value === "") return notStated();
  const quote = found[0].slice(0, -1);
  const line: Line = { text: quote, quote, page: 1 };
  return decide([{ value: read(value), line }]);
}
