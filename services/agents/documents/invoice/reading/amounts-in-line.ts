import { DOUBT_MARK } from "../../reading/reading.ts";
import { blankDates } from "./read-dates.ts";
import { guessMark, readAmount } from "./read-amounts.ts";

/** Number format of a document. */
export interface NumberStyle {
  /** Decimal mark; null where no number of the document shows it. */
  readonly mark: "." | "," | null;
  /** Whether a space may group thousands: no other mark of the document does. */
  readonly groupsBySpace: boolean;
  /** Every mark stands before three digits: there are no fractions. */
  readonly isWhole: boolean;
}

/** An amount where it stands in a line; null where it can be read in two ways. */
export interface LineAmount {
  readonly at: number;
  readonly value: number | null;
  /** It has cents, or a currency beside it. */
  readonly isMoney: boolean;
}

const SPACE = "[ \\u00a0\\u202f]";
const GROUPED = new RegExp(`\\d{1,3}(?:${SPACE}\\d{3})+(?:[.,]\\d{1,2})?(?!\\d)`);
const NUMBER = new RegExp(
  `(?<![\\d.,/\\p{L}-])(?<sign>[-–]\\s?)?(?:(?<!\\d${SPACE})\\d{1,3}(?:${SPACE}\\d{3})+(?:[.,]\\d{1,3})?|\\d[\\d.,'’]*\\d|\\d)(?![\\d/]|[.,-]\\d)`,
  "gu",
);
const MONEY_AROUND = /[€£$¥₹円]|[A-Z]{3}|zł|kr|euro/u;
const PLAIN = /(?<![\d.,/\p{L}-])(?<sign>[-–]\s?)?(?:\d[\d.,'’]*\d|\d)(?![\d/]|[.,-]\d)/gu;

/** Reads a document's way of writing numbers off all of them. */
export function styleOf(text: string): NumberStyle {
  const commas = text.match(/\d,\d{2}(?!\d)/g)?.length ?? 0;
  const points = text.match(/\d\.\d{2}(?![\d.])/g)?.length ?? 0;
  const grouped = /\d[.,'’]\d{3}[.,]\d{2}(?!\d)/.test(text);
  const marks = text.match(/(?<![\d.,/-])\d{1,3}(?:[.,]\d+)+(?![\d/-])/g) ?? [];
  return {
    mark: commas === points ? null : guessMark(text),
    groupsBySpace: !grouped && GROUPED.test(text),
    isWhole: marks.length > 1 && marks.every((one) => /^\d{1,3}(?:[.,]\d{3})+$/.test(one)),
  };
}

/** Returns the amounts of a line, in its order. Percentages, days and parts of numbers with letters are none. */
export function amountsIn(written: string, style: NumberStyle): LineAmount[] {
  const line = blankDates(written);
  const found = [...line.matchAll(style.groupsBySpace ? NUMBER : PLAIN)];
  return found.flatMap((match) => {
    const { 0: text, index, groups } = match;
    const after = line.slice(index + text.length);
    if (/^\s?%/.test(after) || /^\s?(?:\p{L}+\/|\/)/u.test(after)) return [];
    // No sum begins with a zero or has so many digits without a mark: a number of a register does.
    if (/^0\d/.test(text) || /^\d{9,}$/.test(text)) return [];
    const isNegative = groups?.["sign"] !== undefined || /\(\s?$/.test(line.slice(0, index));
    const value = readWritten(text.replace(/^[-–]\s?/, ""), style);
    if (after.startsWith(DOUBT_MARK)) return [{ at: index, value: null, isMoney: true }];
    const isMoney =
      /[.,]\d{2}$/.test(text) ||
      MONEY_AROUND.test(line.slice(Math.max(0, index - 4), index + text.length + 5));
    return [{ at: index, value: value === null ? null : isNegative ? -value : value, isMoney }];
  });
}

/** Null where the number can be read in two ways and nothing in the document tells which. */
function readWritten(text: string, { mark, isWhole }: NumberStyle): number | null {
  const plain = text.replaceAll(/[ \u00a0\u202f'’]/g, "");
  if (/^\d+$/.test(plain)) return Number(plain);
  const [comma, point] = [plain.lastIndexOf(","), plain.lastIndexOf(".")];
  if (comma !== -1 && point !== -1) return readAmount(plain, comma > point ? "," : ".");
  const own = comma === -1 ? "." : ",";
  const digits = plain.length - Math.max(comma, point) - 1;
  const isRepeated = plain.indexOf(own) !== plain.lastIndexOf(own);
  if (isRepeated) return readAmount(plain, own === "," ? "." : ",");
  if (digits !== 3) return readAmount(plain, own);
  // "1.234": one and a fraction, or more than a thousand.
  if (mark !== null && mark !== own) return readAmount(plain, mark);
  return isWhole ? readAmount(plain, own === "," ? "." : ",") : null;
}
