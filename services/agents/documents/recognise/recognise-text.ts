import { linesOf, readFacts } from "../invoice/reading/read-facts.ts";
import { TAX } from "../invoice/reading/labels.ts";
import type { InvoiceFacts, Line } from "../invoice/reading/reading.ts";
import { wholeWords } from "../text/phrases.ts";
import type { DocumentType } from "./document-types.ts";
import { HEADED_TYPES, HEADINGS, TRADE_TYPES } from "./headings.ts";
import type { HeadedType } from "./headings.ts";
import {
  CLOSING,
  DEMAND,
  GREETING,
  INVOICE_WORDS,
  PARTIES,
  PARTY_LABELS,
  SUBJECT,
  UNPAID,
  UNSUBSCRIBE,
} from "./signs.ts";

/** Result of recognising a text; `type` is null where it cannot be told. */
export interface Recognition {
  readonly type: DocumentType | null;
  /** Reason for which it cannot be told. */
  readonly unclear: string | null;
  /** The line that says it. */
  readonly evidence: { readonly page: number; readonly quote: string } | null;
}

/** A heading stands among the first lines. */
const HEAD_LINES = 25;
/** Shorter ones say too little to be anything. */
const CHARACTERS_LEAST = 60;
/** Signs that a text headed as an invoice has, of: number, day, parties, tax or net total. */
const INVOICE_SIGNS_LEAST = 2;

const TRADE: ReadonlySet<DocumentType> = new Set(TRADE_TYPES);

/** Kinds from which money may be paid or asked back: nothing is taken for one of these without its signs. */
export const MONEY_TYPES: ReadonlySet<DocumentType> = new Set(["invoice", "credit_note", "receipt"]);

/**
 * Recognises a document by its headings and its structure, in ten languages and whatever file it came in. Pure.
 * Returns null as the type of a text that has the signs of two kinds, or of an invoice without being headed as one.
 */
export function recogniseText(pages: readonly string[]): Recognition {
  const lines = linesOf(pages);
  const facts = readFacts(pages);
  if (/<(?:\w+:)?(?:Invoice|CreditNote)\b[^>]*urn:oasis:names:specification:ubl/.test(pages[0] ?? ""))
    return told(/<(?:\w+:)?CreditNote\b/.test(pages[0] ?? "") ? "credit_note" : "invoice", lines[0]);
  const headings = findHeadings(lines);
  const [first] = headings;
  if (first === undefined) return recogniseUnheaded(lines, facts);
  const rival = headings.find(({ type, isStrong }) => isStrong && isRival(first.type, type));
  if (rival !== undefined) return unclear(`It is headed as ${first.type} and as ${rival.type}.`, rival.line);
  if (first.type === "invoice") return recogniseInvoice(first.line, lines, facts);
  if (MONEY_TYPES.has(first.type) && totalOf(facts) === null && !hasAmount(lines))
    return unclear(`It is headed as ${first.type} and states no total.`, first.line);
  return told(first.type, first.line);
}

const told = (type: DocumentType, line: Line | undefined): Recognition => ({
  type,
  unclear: null,
  evidence: line === undefined ? null : { page: line.page, quote: line.quote.slice(0, 400) },
});

const unclear = (why: string, line: Line | undefined): Recognition => ({
  ...told("other", line),
  type: null,
  unclear: why,
});

/** Papers of trade that name an invoice are none; an invoice headed as another paper too is unclear. */
function isRival(first: DocumentType, other: DocumentType): boolean {
  if (first === other || !TRADE.has(first) || !TRADE.has(other)) return false;
  return first === "invoice"
    ? other !== "order" && other !== "delivery_note"
    : other === "invoice" && first === "quote";
}

function recogniseInvoice(heading: Line, lines: readonly Line[], facts: InvoiceFacts): Recognition {
  if (totalOf(facts) === null) return unclear("It is headed as invoice and states no total.", heading);
  const signs = [
    facts.number.unread !== "not_stated",
    facts.issue_date.unread !== "not_stated",
    lines.some(({ text }) => PARTY_LABELS.test(text)),
    facts.net.unread !== "not_stated" || lines.some(({ text }) => TAX.test(text)),
  ].filter(Boolean).length;
  if (signs < INVOICE_SIGNS_LEAST)
    return unclear("It is headed as invoice and has too little of one's structure.", heading);
  return told("invoice", heading);
}

/**
 * Without a heading: a letter by its greeting and closing, a contract by its parties, and what asks for
 * money unclear.
 */
function recogniseUnheaded(lines: readonly Line[], facts: InvoiceFacts): Recognition {
  const text = lines.map((line) => line.text).join("\n");
  const lineOf = (pattern: RegExp): Line | undefined => lines.find((line) => pattern.test(line.text));
  if (UNPAID.test(text) && INVOICE_WORDS.test(text)) return told("reminder", lineOf(UNPAID));
  if (UNSUBSCRIBE.test(text)) return told("newsletter", lineOf(UNSUBSCRIBE));
  const asksForMoney =
    hasAmount(lines) && DEMAND.test(text) && (INVOICE_WORDS.test(text) || totalOf(facts) !== null);
  if (asksForMoney)
    return unclear("It asks for money like an invoice, and is not headed as one.", lineOf(DEMAND));
  const greeting = lines.slice(0, HEAD_LINES).find((line) => GREETING.test(line.text));
  const closing = lines.slice(-HEAD_LINES).find((line) => CLOSING.test(line.text));
  if (greeting !== undefined && closing !== undefined) return told("correspondence", greeting);
  if (PARTIES.test(text)) return told("contract", lineOf(PARTIES));
  if (totalOf(facts) !== null) return unclear("It states a total, and no heading says of what.", lines[0]);
  const named = lines.slice(0, HEAD_LINES).find((line) => TRADE_NAME_FIRST.test(line.text));
  if (named !== undefined && hasAmount(lines))
    return unclear("It names a paper of trade, and is not headed as one.", named);
  if (text.length < CHARACTERS_LEAST) return unclear("It has too few words to tell what it is.", lines[0]);
  return told("other", lines[0]);
}

function totalOf({ gross, payable }: InvoiceFacts): Line | null {
  return gross.line ?? payable.line;
}

function hasAmount(lines: readonly Line[]): boolean {
  return lines.some(({ text }) => /\d[.,]\d{2}(?!\d)|[€£$¥]\s?\d|\d\s?(?:€|zł|kr|円|EUR|euros?)/u.test(text));
}

interface Heading {
  readonly type: HeadedType;
  readonly line: Line;
  /** The heading is all of its line, or has the document's number behind it. */
  readonly isStrong: boolean;
}

const TRADE_NAME_FIRST = new RegExp(
  `^\\W*${wholeWords(HEADED_TYPES.filter((type) => TRADE.has(type)).flatMap((type) => HEADINGS[type]))}`,
  "iu",
);

const NUMBERED =
  "(?:\\s*(?:\\([^)]{1,20}\\)\\s*)?(?:no|nr|num|n[°º]|n|#)?[.:]*\\s*[A-Z]{0,4}[ /-]?\\d[\\w/.-]*)";
/** At most a few words may stand beside a heading's own. */
const WORDS_BEFORE = "(?:\\d{1,2}\\.\\s?|[\\p{L}’'-]+ ){0,2}";
const PATTERNS = HEADED_TYPES.map((type) => {
  const name = wholeWords(HEADINGS[type]);
  return {
    type,
    whole: new RegExp(`^\\W*${name}\\W*$`, "iu"),
    numbered: new RegExp(
      `^\\W*(?:\\d{1,2}\\.\\s?)?(?:[\\p{L}’'-]+ )?${name}(?: vat)?${NUMBERED}(?<rest>.*)$`,
      "iu",
    ),
    within: new RegExp(`^${WORDS_BEFORE}${name}(?<rest>.*)$`, "iu"),
    subject: new RegExp(name, "iu"),
  };
});

/** Headings in their order; of two in one place the more telling one. */
function findHeadings(lines: readonly Line[]): Heading[] {
  return lines.slice(0, HEAD_LINES).flatMap((line) => {
    const cells = line.text.split(/\s{2,}|\t|—|·/).map((cell) => cell.replace(/^#+\s*/, "").trim());
    return cells.flatMap((cell) => headingsOf(cell, line)).slice(0, 1);
  });
}

/** The kinds that a cell of a line is headed as, the most telling first: an invoice is anything else before that. */
function headingsOf(cell: string, line: Line): Heading[] {
  if (cell === "") return [];
  const isSubject = SUBJECT.test(cell);
  const found = PATTERNS.flatMap(({ type, whole, numbered, within, subject }): Heading[] => {
    if (whole.test(cell)) return [{ type, line, isStrong: true }];
    const rest = numbered.exec(cell)?.groups?.["rest"];
    if (rest !== undefined && isShort(rest)) return [{ type, line, isStrong: true }];
    if (isSubject && subject.test(cell)) return [{ type, line, isStrong: false }];
    const beside = within.exec(cell)?.groups?.["rest"];
    const title = TRADE.has(type) ? beside : beside?.replace(/^\s*:\s*/, " ");
    return title !== undefined && isTitle(title) ? [{ type, line, isStrong: false }] : [];
  });
  return found.toSorted((a, b) => Number(a.type === "invoice") - Number(b.type === "invoice"));
}

const countWords = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;

/** Text after a document's number in its heading: a date at most. */
function isShort(rest: string): boolean {
  return countWords(rest) <= 8 && !/[!?]|\p{L}[.]\s*$/u.test(rest) && !SUM.test(rest);
}

/** Not a label such as "Invoice total 12.00", nor the beginning of a sentence. */
function isTitle(rest: string): boolean {
  return countWords(rest) <= 4 && !/[.!?:;]\s*$|^\s*[:(]/u.test(rest) && !SUM.test(rest) && !LABEL.test(rest);
}

const SUM = /\d[.,]\d{2}(?!\d|[./-]\d)|[€£$¥]/u;

const LABEL =
  /^\s*(?:s? ?(?:number|no|nr|date|total|amount|to|from|address|id|reference|betrag|datum|nummer|empf|adresse|belopp|bedrag))(?!\p{L}{6})/iu;
