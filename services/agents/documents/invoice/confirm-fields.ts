import { z } from "zod";
import { DOUBT_MARK } from "#shared/files";
import { REASON_CODES } from "../contracts.ts";
import type { Reason } from "../contracts.ts";
import type { Invoice, QuotedReading } from "./answer.ts";
import {
  findAmount,
  markOf,
  findDay,
  isOrderOpen,
  findLine,
  holdsWords,
  squeeze,
  findCurrency,
} from "./evidence/amounts.ts";
import type { Line } from "./evidence/amounts.ts";

const fieldValue = z.union([z.string(), z.number()]).nullable();

/** A field of an invoice with what it rests on. */
export const confirmedField = z.object({
  /** JSON pointer into the extraction. */
  path: z.string(),
  /** Value in the result; null where nothing confirms the model's answer. */
  value: fieldValue,
  /** The model's answer. */
  stated: fieldValue,
  /**
   * `confirmed`: it stands in the text, and a second reading says the same. `found`: it stands in the text. `none`: it
   * cannot be told, and the value is null.
   */
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
  /** Whether the text was read off a picture. */
  readonly isScan: boolean;
}

type Stated = string | number | null;
type Evidence = { readonly line: Line } | { readonly reason: Reason["code"]; readonly line?: Line | null };

/**
 * Holds an extraction against the document and a second reading of it. A value that does not stand there, and money of
 * which the two readings differ, becomes null and says why. Pure.
 */
export function confirmFields(read: ReadInvoice): ConfirmedField[] {
  const { stated, second } = read;
  const { metadata, totals, entities } = stated;
  const accounts = entities.flatMap(({ iban }, index) => (iban === null ? [] : [{ iban, index }]));
  const due = totals.payable ?? totals.gross;
  const isAgreed = due !== null && second.amount !== null && Math.abs(due) === Math.abs(second.amount);
  const money = (path: string, value: number | null, agreed?: boolean): ConfirmedField =>
    field(path, value, value === null ? null : standingAmount(value, read), agreed);
  const words = (path: string, value: string | null, agreed?: boolean): ConfirmedField =>
    field(path, value, value === null ? null : standing(read, (text) => holdsWords(text, value)), agreed);
  const day = (path: string, value: string | null, again: string | null): ConfirmedField =>
    field(path, value, value === null ? null : standingDate(value, read), value === again);
  return [
    words("/metadata/number", metadata.number),
    day("/metadata/issue_date", metadata.issue_date, second.issue_date),
    day("/metadata/due_date", metadata.due_date, second.due_date),
    field(
      "/metadata/currency",
      metadata.currency,
      standingCurrency(read),
      metadata.currency === second.currency,
    ),
    money("/totals/net", totals.net),
    money("/totals/tax", totals.tax),
    // The second reading was asked for the amount that is left to pay.
    money("/totals/gross", totals.gross, totals.payable === null ? isAgreed : undefined),
    money("/totals/payable", totals.payable, isAgreed),
    ...accounts.map(({ iban, index }) =>
      words(
        `/entities/${index}/iban`,
        iban,
        accounts.length === 1 && second.account !== null && squeeze(second.account) === squeeze(iban),
      ),
    ),
    ...(accounts.length === 0 && second.account !== null
      ? [field("/entities/account", null, { reason: "not_confirmed" })]
      : []),
  ];
}

/** @param isAgreed - Whether a second reading says the same; undefined: it was not asked for. */
function field(path: string, stated: Stated, evidence: Evidence | null, isAgreed?: boolean): ConfirmedField {
  const line = evidence?.line ?? null;
  const reason =
    evidence === null
      ? "not_stated"
      : "reason" in evidence
        ? evidence.reason
        : isAgreed === false
          ? "not_confirmed"
          : null;
  return {
    path,
    value: reason === null ? stated : null,
    stated,
    confidence: reason === null ? (isAgreed === true ? "confirmed" : "found") : "none",
    page: line?.page ?? null,
    quote: line?.quote ?? null,
    reason,
  };
}

/** Words with a digit that were hardly read off a picture are evidence of nothing. */
const DOUBTFUL = new RegExp(`\\S+${RegExp.escape(DOUBT_MARK)}`, "g");

function standing({ pages }: ReadInvoice, holds: (text: string) => boolean): Evidence {
  const line = findLine(pages, (text) => holds(text.replaceAll(DOUBTFUL, " ")));
  if (line !== null) return { line };
  const doubtful = findLine(pages, (text) => holds(text.replaceAll(DOUBT_MARK, "")));
  return doubtful === null
    ? { reason: "not_in_document" }
    : { reason: doubtful.quote.includes(DOUBT_MARK) ? "doubtful_scan" : "not_in_document", line: doubtful };
}

/** Off a picture the sums have to add up besides: a digit that is misread with confidence is no rare thing. */
function standingAmount(value: number, read: ReadInvoice): Evidence {
  const mark = markOf(read.pages.join("\n"));
  const found = standing(read, (text) => findAmount(text, value, mark) === "stands");
  if ("reason" in found) {
    const unclear = findLine(read.pages, (text) => findAmount(text, value, mark) === "unclear");
    return unclear === null || found.reason !== "not_in_document"
      ? found
      : { reason: "ambiguous", line: unclear };
  }
  return read.isScan && !addsUp(read.stated) ? { reason: "doubtful_scan", line: found.line } : found;
}

function standingDate(stated: string, read: ReadInvoice): Evidence {
  const isOpen = isOrderOpen(read.pages.join("\n"), read.stated.metadata.language);
  const found = standing(read, (text) => findDay(text, stated, isOpen) === "stands");
  const line = findLine(read.pages, (text) => findDay(text, stated, isOpen) === "ambiguous");
  return "reason" in found && line !== null ? { reason: "ambiguous", line } : found;
}

function standingCurrency({ stated, pages }: ReadInvoice): Evidence | null {
  const { currency, language } = stated.metadata;
  if (currency === null) return null;
  const text = pages.join("\n");
  const numbers = stated.entities
    .filter(({ kind }) => kind === "seller" || kind === "account")
    .flatMap(({ vat_id: vat, iban }) => [vat, iban])
    .filter((number) => number !== null && holdsWords(text, number))
    .map((number) => number ?? "");
  const of = (part: string) => findCurrency(part, currency, { language, numbers });
  const whole = of(text);
  const line = findLine(pages, (part) => of(part) !== null);
  if (whole === null || line === null) return { reason: "not_stated" };
  return whole === "stands" ? { line } : { reason: "ambiguous", line };
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
