import type { StandIn } from "#shared/runtime";
import { InvoiceAnswer } from "../invoice/answer.ts";
import type { Invoice, InvoiceInput } from "../invoice/answer.ts";
import { linesOf, readFacts } from "../invoice/reading/read-facts.ts";
import { recogniseText } from "../recognise/recognise-text.ts";
import { guessLanguage } from "./guess-language.ts";
import { readRecorded } from "./recorded.ts";

const RECORDED = readRecorded("invoices.json", InvoiceAnswer.schema);
const NAME_CHARACTERS_MAX = 300;

/** Answers as recorded for the samples. Of other texts it states what stands beside its name; of a picture nothing. */
export const extractInvoice: StandIn = ({ sha256, text }: InvoiceInput) =>
  RECORDED.get(sha256) ?? (text === null ? NOTHING : readStated(text));

const NOTHING: Invoice = {
  entities: [{ id: "seller", kind: "seller", name: "?", vat_id: null, iban: null, address: null }],
  relationships: [],
  metadata: {
    type: "invoice",
    number: null,
    issue_date: null,
    due_date: null,
    currency: null,
    language: "en",
    order_reference: null,
  },
  lines: [],
  taxes: [],
  totals: { net: null, tax: null, gross: null, payable: null },
  lines_are_gross: false,
};

/** Answers null for every field that the text does not state: assumes no currency, and reads no line. */
function readStated(text: string): Invoice {
  const pages = text.split("\f");
  const facts = readFacts(pages);
  const { type } = recogniseText(pages);
  // A heading is no name; the next line may be.
  const rows = linesOf(pages).map(({ quote }) => quote);
  const seller =
    rows.find((row) => /\p{L}{2}/u.test(row) && recogniseText([row]).type === "other") ?? rows[0] ?? "?";
  return {
    ...NOTHING,
    entities: [
      {
        id: "seller",
        kind: "seller",
        name: seller.trim().slice(0, NAME_CHARACTERS_MAX),
        vat_id: null,
        iban: null,
        address: null,
      },
    ],
    metadata: {
      type: type === "credit_note" || type === "receipt" ? type : "invoice",
      number: facts.number.value?.slice(0, NAME_CHARACTERS_MAX) ?? null,
      issue_date: facts.issue_date.value,
      due_date: facts.due_date.value,
      currency: facts.currency.value,
      language: guessLanguage(text),
      order_reference: null,
    },
    taxes: facts.taxes.slice(0, 10).map(({ rate, amount }) => ({ rate, base: null, amount })),
    totals: {
      // Tax in a receipt's total has no net beside it that would add up.
      net: facts.net.value,
      tax: facts.net.value === null ? null : facts.tax.value,
      gross: facts.gross.value,
      payable: facts.payable.value,
    },
  };
}
