import type { StandIn } from "#shared/runtime";
import { InvoiceAnswer } from "../invoice/answer.ts";
import type { Invoice, InvoiceInput } from "../invoice/answer.ts";
import { guessMark, readAmount } from "../invoice/reading/read-amounts.ts";
import { readRecorded } from "./recorded.ts";

const RECORDED = readRecorded("invoices.json", InvoiceAnswer.schema);

const NUMBER =
  /(?:invoice|receipt|rechnungs?|quittung|facture)[\s-]*(?:no|nr|number|nummer|n°|#)\.?\s*[:#]?\s*([A-Z0-9][A-Z0-9/_.-]*[A-Z0-9])/i;
const TOTAL =
  /^\s*(?:(?:grand )?total(?: due| amount)?|amount due|gesamt(?:betrag)?|rechnungsbetrag|zu zahlen|summe)\b.*?(-?\d[\d.,]*)\D*$/gim;
const CURRENCIES: readonly (readonly [RegExp, string])[] = [
  [/\bCHF\b/, "CHF"],
  [/£|\bGBP\b/, "GBP"],
  [/\bUSD\b|\$/, "USD"],
];

/** Answers as recorded for the samples. Of other texts it reads number, currency and total; of a picture nothing. */
export const extractInvoice: StandIn = ({ sha256, text }: InvoiceInput) =>
  text === null ? null : (RECORDED.get(sha256) ?? readTotal(text));

/** States the total as the only line. */
function readTotal(text: string): Invoice {
  const mark = guessMark(text);
  const written = [...text.matchAll(TOTAL)].at(-1)?.[1]?.replace(/[.,]$/, "") ?? "";
  const gross = readAmount(written, mark) ?? 0;
  const seller = text.split("\n").find((row) => /\p{L}{2}/u.test(row)) ?? "?";
  return {
    entities: [
      {
        id: "seller",
        kind: "seller",
        name: seller.trim().slice(0, 300),
        vat_id: null,
        iban: null,
        address: null,
      },
    ],
    relationships: [],
    metadata: {
      type: /\b(?:credit note|gutschrift)\b/i.test(text) ? "credit_note" : "invoice",
      number: NUMBER.exec(text)?.[1]?.slice(0, 300) ?? null,
      issue_date: null,
      due_date: null,
      currency: CURRENCIES.find(([sign]) => sign.test(text))?.[1] ?? "EUR",
      language: /\b(?:und|Rechnung|Betrag)\b/.test(text) ? "de" : "en",
      order_reference: null,
    },
    lines: [{ description: "All items", quantity: 1, unit_price: gross, amount: gross, tax_rate: null }],
    taxes: [],
    totals: { net: null, tax: null, gross },
    lines_are_gross: true,
  };
}
