import type { StandIn } from "#shared/runtime";
import { guessLanguage } from "./guess-language.ts";
import type { Invoice, InvoiceInput } from "../invoice/answer.ts";
import { LABELS } from "./invoice/labels.ts";
import { guessMark } from "../invoice/reading/read-amounts.ts";
import { readDate } from "./invoice/read-date.ts";
import { readLines } from "./invoice/read-lines.ts";
import { readEntities, relate } from "./invoice/read-parties.ts";
import { readTotals } from "./invoice/read-totals.ts";
import { isUbl, readUbl } from "./invoice/read-ubl.ts";

const CURRENCIES: readonly (readonly [RegExp, string])[] = [
  [/\bCHF\b/, "CHF"],
  [/£|\bGBP\b/, "GBP"],
  [/\bUSD\b|\$/, "USD"],
  [/€|\bEUR\b/, "EUR"],
];
const LANGUAGES: Readonly<Record<string, string>> = {
  English: "en",
  German: "de",
  French: "fr",
  Spanish: "es",
};

/** Reads an invoice's own words, in whatever layout; of a picture nobody here can read the words. */
export const extractInvoice: StandIn = ({ text }: InvoiceInput) => {
  if (text === null) return null;
  return isUbl(text) ? readUbl(text) : readInvoice(text);
};

function readInvoice(text: string): Invoice {
  const mark = guessMark(text);
  const currency = CURRENCIES.find(([sign]) => sign.test(text))?.[1] ?? "EUR";
  const order = currency === "USD" ? "month_first" : "day_first";
  const reference = LABELS.order.exec(text)?.[1] ?? null;
  const entities = readEntities(text, reference);
  const lines = readLines(text, mark);
  const figures = readTotals(text, mark);
  return {
    entities,
    relationships: relate(entities),
    metadata: {
      type: typeOf(text),
      number: LABELS.number.exec(text)?.[1] ?? null,
      issue_date: readDate(LABELS.issued.exec(text)?.[1] ?? "", order),
      due_date: readDate(LABELS.due.exec(text)?.[1] ?? "", order),
      currency,
      language: LANGUAGES[guessLanguage(text)] ?? "en",
      order_reference: reference,
    },
    lines,
    ...figures,
    lines_are_gross: areGross(lines, figures.totals),
  };
}

function typeOf(text: string): Invoice["metadata"]["type"] {
  if (/\b(?:credit note|gutschrift)\b/i.test(text)) return "credit_note";
  return /^\s*(?:receipt|quittung|kassenbon)\b/im.test(text) ? "receipt" : "invoice";
}

/** Prices have tax in them where nothing is said of a net total, or where they add up to the gross one. */
function areGross(lines: Invoice["lines"], { net, gross }: Invoice["totals"]): boolean {
  const sum = Math.round(lines.reduce((all, { amount }) => all + amount, 0) * 100);
  return net === null || (sum === Math.round(gross * 100) && net !== gross);
}
