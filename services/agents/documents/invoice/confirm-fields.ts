import { z } from "zod";
import { DOUBT_MARK } from "../reading/reading.ts";
import { REASON_CODES } from "../contracts.ts";
import type { Reason } from "../contracts.ts";
import type { Invoice } from "./answer.ts";
import { allDates } from "./reading/read-dates.ts";
import { readFacts } from "./reading/read-facts.ts";
import { findLine, holdsAmount, holdsWords } from "./reading/find-line.ts";
import { isSummedUp } from "./reading/is-summed-up.ts";
import type { InvoiceFacts, Line, Reading } from "./reading/reading.ts";

const value = z.union([z.string(), z.number()]).nullable();

/** A field of an invoice with what it rests on. */
export const confirmedField = z.object({
  /** JSON pointer into the extraction. */
  path: z.string(),
  /** Value in the result; null where nothing confirms the model's answer. */
  value,
  /** The model's answer. */
  stated: value,
  /**
   * `confirmed`: the text says so where the field has its name. `found`: it stands in the text. `none`: it cannot be
   * told, and the value is null.
   */
  confidence: z.enum(["confirmed", "found", "none"]),
  /** From 1. */
  page: z.int().positive().nullable(),
  /** The line it stands in, verbatim. */
  quote: z.string().nullable(),
  reason: z.enum(REASON_CODES).nullable(),
});

export type ConfirmedField = Readonly<z.output<typeof confirmedField>>;

export interface ConfirmedInvoice {
  readonly invoice: Invoice;
  readonly fields: readonly ConfirmedField[];
}

interface Basis {
  readonly pages: readonly string[];
  readonly facts: InvoiceFacts;
  /** Whether the text was read off a picture. */
  readonly isScan: boolean;
}

/**
 * Holds a model's extraction against what the rules read in the text. A value that they do not confirm becomes null and
 * says why: money, currency and number are never a model's word alone. Pure.
 */
export function confirmFields(stated: Invoice, pages: readonly string[], isScan: boolean): ConfirmedInvoice {
  const basis: Basis = { pages, facts: readFacts(pages), isScan };
  const { facts } = basis;
  const { metadata, totals } = stated;
  const fields = [
    wordField("/metadata/number", metadata.number, { reading: facts.number, basis }),
    dateField("/metadata/issue_date", metadata.issue_date, { reading: facts.issue_date, basis }),
    dateField("/metadata/due_date", metadata.due_date, { reading: facts.due_date, basis }),
    currencyField(metadata.currency, basis),
    moneyField("/totals/net", totals.net, { reading: facts.net, basis }),
    moneyField("/totals/tax", totals.tax, { reading: facts.tax, basis }),
    moneyField("/totals/gross", totals.gross, { reading: facts.gross, basis }),
    moneyField("/totals/payable", totals.payable, { reading: facts.payable, basis }),
  ];
  const words = valuesOf(fields, (value): value is string => typeof value === "string");
  const numbers = valuesOf(fields, (value): value is number => typeof value === "number");
  return {
    fields,
    invoice: {
      ...stated,
      metadata: {
        ...metadata,
        number: words("/metadata/number"),
        issue_date: words("/metadata/issue_date"),
        due_date: words("/metadata/due_date"),
        currency: words("/metadata/currency"),
      },
      totals: {
        net: numbers("/totals/net"),
        tax: numbers("/totals/tax"),
        gross: numbers("/totals/gross"),
        payable: numbers("/totals/payable"),
      },
    },
  };
}

function valuesOf<Value>(fields: readonly ConfirmedField[], isValue: (value: unknown) => value is Value) {
  return (path: string): Value | null => {
    const value = fields.find((field) => field.path === path)?.value;
    return isValue(value) ? value : null;
  };
}

interface Held<Value> {
  readonly reading: Reading<Value>;
  readonly basis: Basis;
}

type Stated = string | number | null;

function taken(
  path: string,
  stated: Stated,
  line: Line | null,
  confidence: "confirmed" | "found",
): ConfirmedField {
  const place = { page: line?.page ?? null, quote: line?.quote.slice(0, 400) ?? null };
  return { path, value: stated, stated, confidence, ...place, reason: null };
}

function refused(
  path: string,
  stated: Stated,
  reason: Reason["code"],
  line: Line | null = null,
): ConfirmedField {
  const place = { page: line?.page ?? null, quote: line?.quote.slice(0, 400) ?? null };
  return { path, value: null, stated, confidence: "none", ...place, reason };
}

/** Returns the field that a model left out: not stated in the text, or overlooked. */
function unstated(path: string, { unread, line, value }: Reading<unknown>): ConfirmedField {
  return refused(path, null, value === null ? (unread ?? "not_stated") : "not_confirmed", line);
}

const isDoubtful = (line: Line | null): boolean => line?.quote.includes(DOUBT_MARK) === true;
const squeeze = (text: string): string => text.toLowerCase().replaceAll(/[\s.-]/g, "");

function wordField(path: string, stated: string | null, { reading, basis }: Held<string>): ConfirmedField {
  if (stated === null) return unstated(path, reading);
  const line = findLine(basis.pages, (text) => holdsWords(text, stated));
  if (line === null) return refused(path, stated, "not_in_document");
  if (isDoubtful(line)) return refused(path, stated, "doubtful_scan", line);
  if (reading.value !== null && squeeze(reading.value) === squeeze(stated))
    return taken(path, stated, reading.line, "confirmed");
  if (reading.unread === "not_stated") return taken(path, stated, line, "found");
  return refused(path, stated, reading.unread === "ambiguous" ? "ambiguous" : "not_confirmed", reading.line);
}

function dateField(path: string, stated: string | null, { reading, basis }: Held<string>): ConfirmedField {
  if (stated === null) return unstated(path, reading);
  if (isDoubtful(reading.line)) return refused(path, stated, "doubtful_scan", reading.line);
  if (reading.value === stated) return taken(path, stated, reading.line, "confirmed");
  if (reading.unread === "ambiguous") return refused(path, stated, "ambiguous", reading.line);
  const line = findLine(basis.pages, (text) => allDates(text).has(stated));
  if (line === null) return refused(path, stated, "not_in_document");
  return reading.value === null && !isDoubtful(line)
    ? taken(path, stated, line, "found")
    : refused(path, stated, "not_confirmed", reading.line);
}

/** Never assumed: only a sign or a code in the text confirms it. */
function currencyField(stated: string | null, { facts }: Basis): ConfirmedField {
  const path = "/metadata/currency";
  const { value, unread, line } = facts.currency;
  if (stated === null) return unstated(path, facts.currency);
  if (value === stated) return taken(path, stated, line, "confirmed");
  return refused(path, stated, value === null ? (unread ?? "not_stated") : "not_confirmed", line);
}

/**
 * A sum is what stands beside its name, in a language that the rules know. Off a picture it has to add up
 * besides: a digit
 * that is misread with confidence is no rare thing.
 */
function moneyField(path: string, stated: number | null, { reading, basis }: Held<number>): ConfirmedField {
  if (stated === null) return unstated(path, reading);
  const line = findLine(basis.pages, (text) => holdsAmount(text, stated));
  if (line === null) return refused(path, stated, "not_in_document", reading.line);
  if (reading.value !== stated)
    return refused(
      path,
      stated,
      reading.unread === "ambiguous" ? "ambiguous" : "not_confirmed",
      reading.line ?? line,
    );
  if (basis.isScan && !isSummedUp(basis.pages, basis.facts))
    return refused(path, stated, "doubtful_scan", reading.line);
  return taken(path, stated, reading.line, "confirmed");
}
