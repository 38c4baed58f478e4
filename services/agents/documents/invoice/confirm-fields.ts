import { z } from "zod";
import { DOUBT_MARK } from "#shared/files";
import { REASON_CODES } from "../contracts.ts";
import type { Invoice, QuotedReading } from "./answer.ts";
import { findLine, holdsAmount, holdsCurrency, holdsDay, holdsWords, squeeze } from "./evidence.ts";
import type { Line } from "./evidence.ts";

const fieldValue = z.union([z.string(), z.number()]).nullable();

/** A field of an invoice with what it rests on. */
export const confirmedField = z.object({
  /** JSON pointer into the extraction. */
  path: z.string(),
  /** Value in the result; null where nothing confirms the model's answer. */
  value: fieldValue,
  /** The model's answer. */
  stated: fieldValue,
  /** `confirmed`: in the text, and a second reading agrees. `found`: in the text. `none`: untold, the value is null. */
  confidence: z.enum(["confirmed", "found", "none"]),
  /** From 1. */
  page: z.int().positive().nullable(),
  /** The line it stands in, verbatim. */
  quote: z.string().nullable(),
  reason: z.enum(REASON_CODES).nullable(),
});

export type ConfirmedField = Readonly<z.output<typeof confirmedField>>;

export interface ReadInvoice {
  readonly stated: Invoice;
  readonly second: QuotedReading;
  readonly pages: readonly string[];
  /** True for a text that was read off a picture. */
  readonly isScan: boolean;
}

/** Holds an extraction against document and second reading: what does not stand there, or differs, is null. Pure. */
export function confirmFields(read: ReadInvoice): ConfirmedField[] {
  const { stated, second } = read;
  const { metadata, totals, entities } = stated;
  const { issue_date: issued, due_date: dueDate, currency, language } = metadata;
  const accounts = entities.flatMap(({ iban }, index) => (iban === null ? [] : [{ iban, index }]));
  const due = totals.payable ?? totals.gross;
  const isAgreed = due !== null && second.amount !== null && Math.abs(due) === Math.abs(second.amount);
  const money = (name: "net" | "tax" | "gross" | "payable", agreed?: boolean): ConfirmedField =>
    field(read, [`/totals/${name}`, totals[name]], holdsAmount, agreed);
  return [
    field(read, ["/metadata/number", metadata.number], holdsWords),
    field(read, ["/metadata/issue_date", issued], holdsDay, issued === second.issue_date),
    field(read, ["/metadata/due_date", dueDate], holdsDay, dueDate === second.due_date),
    field(
      read,
      ["/metadata/currency", currency],
      (text, code) => holdsCurrency(text, code, language),
      currency === second.currency,
    ),
    money("net"),
    money("tax"),
    // The second reading was asked for the amount that is left to pay.
    money("gross", totals.payable === null ? isAgreed : undefined),
    money("payable", isAgreed),
    ...accounts.map(({ iban, index }) => {
      const isSame = accounts.length === 1 && squeeze(second.account ?? "") === squeeze(iban);
      return field(read, [`/entities/${index}/iban`, iban], holdsWords, isSame);
    }),
    ...(accounts.length === 0 && second.account !== null
      ? [{ ...field(read, ["/entities/account", null], holdsWords), reason: "not_confirmed" as const }]
      : []),
  ];
}

/** Words with a digit that were hardly read off a picture are evidence of nothing. */
const DOUBTFUL = new RegExp(`\\S+${RegExp.escape(DOUBT_MARK)}`, "g");

/** @param isAgreed - Whether a second reading says the same; undefined: it was not asked for. */
function field<Value extends string | number>(
  { stated: invoice, pages, isScan }: ReadInvoice,
  [path, stated]: readonly [string, Value | null],
  holds: (text: string, value: Value) => boolean,
  isAgreed?: boolean,
): ConfirmedField {
  const find = (doubtful: RegExp | string): Line | null =>
    stated === null ? null : findLine(pages, (text) => holds(text.replaceAll(doubtful, " "), stated));
  const sure = find(DOUBTFUL);
  const line = sure ?? find(DOUBT_MARK);
  // Off a picture the sums have to add up besides: a digit that is misread with confidence is no rare thing.
  const isDoubtful = sure === null || (typeof stated === "number" && isScan && !addsUp(invoice));
  const missing = stated === null ? "not_stated" : line === null ? "not_in_document" : null;
  const reason = missing ?? (isDoubtful ? "doubtful_scan" : isAgreed === false ? "not_confirmed" : null);
  return {
    path,
    value: reason === null ? stated : null,
    stated,
    confidence: reason !== null ? "none" : isAgreed === true ? "confirmed" : "found",
    page: line?.page ?? null,
    quote: line?.quote ?? null,
    reason,
  };
}

const cents = (amount: number): number => Math.round(amount * 100);

/** Tells whether a total is the sum of net and tax, or of the lines that have tax in them. */
function addsUp({ totals: { net, tax, gross }, lines, lines_are_gross: areGross }: Invoice): boolean {
  if (gross === null) return false;
  if (net !== null && tax !== null) return cents(net) + cents(tax) === cents(gross);
  const sum = lines.reduce((all, { amount }) => all + cents(amount), 0);
  return areGross && lines.length > 0 && sum === cents(gross);
}

/** Returns the invoice without what nothing confirms. */
export function withoutRefused(stated: Invoice, fields: readonly ConfirmedField[]): Invoice {
  const kept = structuredClone(stated);
  const refused = new Set(fields.filter(({ reason }) => reason !== null).map(({ path }) => path));
  for (const [index, entity] of kept.entities.entries())
    if (refused.has(`/entities/${index}/iban`)) entity.iban = null;
  for (const name of ["number", "issue_date", "due_date", "currency"] as const)
    if (refused.has(`/metadata/${name}`)) kept.metadata[name] = null;
  for (const name of ["net", "tax", "gross", "payable"] as const)
    if (refused.has(`/totals/${name}`)) kept.totals[name] = null;
  return kept;
}
