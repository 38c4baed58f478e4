import { foldAccents } from "../../text/phrases.ts";
import { toAsciiDigits } from "../../text/to-ascii-digits.ts";
import { amountsIn, styleOf } from "./amounts-in-line.ts";
import type { NumberStyle } from "./amounts-in-line.ts";
import { DEDUCTION, GROSS, NET, NO_TAX_AMOUNT, PAYABLE, TAX, TOTAL } from "./labels.ts";
import { readCurrency } from "./read-currency.ts";
import { readDates } from "./read-dates.ts";
import { readNumber } from "./read-number.ts";
import { readUblFacts } from "./read-ubl-facts.ts";
import { ambiguous, decide, notStated } from "./reading.ts";
import type { Found, InvoiceFacts, Line, Reading } from "./reading.ts";

/** Reads an invoice's facts by its labels in ten languages, or by its elements where it is UBL. Pure. */
export function readFacts(pages: readonly string[]): InvoiceFacts {
  const ubl = readUblFacts(pages);
  if (ubl !== null) return ubl;
  const lines = linesOf(pages);
  const style = styleOf(lines.map(({ text }) => text).join("\n"));
  const amounts = (label: RegExp, but: (line: string) => boolean = () => false): Found<number | null>[] =>
    lines.flatMap((line, index) =>
      label.test(line.text) && !but(line.text) ? amountAt({ lines, index, style, label }) : [],
    );
  const net = settle(amounts(NET, (line) => GROSS.test(line) && !NET_FIRST.test(line)));
  const taxLines = taxAmounts(lines, style);
  const tax = sumTaxes(taxLines);
  const totals = decideTotals({
    amounts,
    net,
    tax,
    hasDeduction: lines.some(({ text }) => DEDUCTION.test(text)),
  });
  const { issued, due } = readDates(lines);
  return {
    number: readNumber(lines),
    issue_date: issued,
    due_date: due,
    currency: readCurrency(lines, totals.gross.line ?? totals.payable.line),
    net,
    tax,
    ...totals,
    taxes: taxLines.flatMap(({ rate, value }) =>
      rate === null || value === null ? [] : [{ rate, amount: value }],
    ),
  };
}

/** A line that begins as a net total is one, whatever else it says. */
const NET_FIRST = new RegExp(`^\\W*${NET.source}`, "iu");
const TOTAL_FIRST = new RegExp(`^\\W*${TOTAL.source}`, "iu");

/** Nothing that a field is read off is longer; a text without line breaks may be. */
const LINE_CHARACTERS_MAX = 500;

/** Returns the lines that have words, for reading: digits as ASCII, without accents and marks of tables. */
export function linesOf(pages: readonly string[]): Line[] {
  return pages.flatMap((page, index) =>
    page.split("\n").flatMap((quote) => {
      const text = foldAccents(toAsciiDigits(quote.slice(0, LINE_CHARACTERS_MAX)))
        .replaceAll(/[*|_]+/g, "  ")
        .trim();
      return text === "" ? [] : [{ text, quote: quote.trim(), page: index + 1 }];
    }),
  );
}

interface Labelled {
  readonly lines: readonly Line[];
  readonly index: number;
  readonly style: NumberStyle;
  readonly label: RegExp;
}

/** The amount of a labelled line: its last one behind the label, else the one that stands alone in the next line. */
function amountAt({ lines, index, style, label }: Labelled): Found<number | null>[] {
  const line = lines[index];
  if (line === undefined) return [];
  const at = line.text.search(label);
  const behind = amountsIn(line.text, style).filter((amount) => amount.at >= at);
  const money = behind.filter(({ isMoney }) => isMoney);
  const last = (money.length > 0 ? money : behind).at(-1);
  // In columns the last one is the sum; in a sentence with several sums nothing tells.
  if (last !== undefined)
    return [{ value: isSentence(line.text) && money.length > 1 ? null : last.value, line }];
  const next = lines[index + 1];
  if (next === undefined || /\p{L}{4}/u.test(next.text)) return [];
  const [only, ...others] = amountsIn(next.text, style);
  return only === undefined || others.length > 0 ? [] : [{ value: only.value, line: next }];
}

const isSentence = (text: string): boolean =>
  !/\S {2,}\S/.test(text) && (text.match(/\p{L}{2,}/gu)?.length ?? 0) > 7;

/** An amount that can be read in two ways makes the field ambiguous. */
function settle(found: readonly Found<number | null>[]): Reading<number> {
  const unclear = found.find(({ value }) => value === null);
  if (unclear !== undefined) return ambiguous<number>([], unclear.line);
  return decide(found.flatMap(({ value, line }) => (value === null ? [] : [{ value, line }])));
}

type TaxLine = Found<number | null> & { readonly rate: number | null };

function taxAmounts(lines: readonly Line[], style: NumberStyle): TaxLine[] {
  return lines.flatMap((line, index) => {
    const { text } = line;
    if (!TAX.test(text) || NO_TAX_AMOUNT.test(text) || NET_FIRST.test(text)) return [];
    if (GROSS.test(text) || TOTAL_FIRST.test(text)) return [];
    // Beside a rate a tax has an amount; in a sentence it has none.
    const rate = /(?<![\d.,])(\d{1,2}(?:[.,]\d{1,3})?)\s?%/.exec(text)?.[1]?.replace(",", ".");
    const amounts = amountAt({ lines, index, style, label: /^/ });
    return amounts.map((found) => ({ ...found, rate: rate === undefined ? null : Number(rate) }));
  });
}

/** The sum of the taxes of several rates; of one that is named twice, itself. */
function sumTaxes(found: readonly TaxLine[]): Reading<number> {
  const unclear = found.find(({ value }) => value === null);
  const [first] = found;
  if (first === undefined) return notStated();
  if (unclear !== undefined) return ambiguous<number>([], unclear.line);
  const apart = new Map(found.map(({ rate, value }) => [`${rate}:${value}`, value ?? 0]));
  const sum = Math.round([...apart.values()].reduce((all, value) => all + value, 0) * 1000) / 1000;
  return { value: sum, unread: null, line: first.line, candidates: [...apart.values()] };
}

interface TotalsToDecide {
  readonly amounts: (label: RegExp, but?: (line: string) => boolean) => Found<number | null>[];
  readonly net: Reading<number>;
  readonly tax: Reading<number>;
  readonly hasDeduction: boolean;
}

/** Reads the total, without what is paid after a deduction. Decides between differing totals by net and tax, or not. */
function decideTotals({
  amounts,
  net,
  tax,
  hasDeduction,
}: TotalsToDecide): Pick<InvoiceFacts, "gross" | "payable"> {
  const isNet = (line: string): boolean => NET_FIRST.test(line);
  const payable = settle(amounts(PAYABLE, isNet));
  const strong = amounts(GROSS, (line) => isNet(line) || (hasDeduction && PAYABLE.test(line)));
  const all =
    strong.length > 0 ? strong : hasDeduction && payable.value !== null ? [] : amounts(TOTAL_FIRST, isNet);
  const gross = settle(all);
  const sum =
    net.value === null || tax.value === null ? null : Math.round((net.value + tax.value) * 100) / 100;
  const summed =
    gross.unread === "ambiguous" ? all.find(({ value }) => value !== null && value === sum) : undefined;
  if (summed !== undefined) return { gross: decide([{ value: sum ?? 0, line: summed.line }]), payable };
  return { gross, payable };
}
