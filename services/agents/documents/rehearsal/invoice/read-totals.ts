import type { Invoice } from "../../invoice/answer.ts";
import { LABELS } from "./labels.ts";
import { readCell } from "./read-lines.ts";

type Mark = "." | ",";
type Figures = Pick<Invoice, "taxes" | "totals">;

const FIGURE = /(?<![\d.,])[-−]?(?:\d{1,3}(?:[ \u00a0]\d{3})+[.,]\d{2}|\d[\d.,'’]*)(?![\d%])(?!\s*%)/g;

/** Taxes and totals as stated; the gross total is what an invoice cannot be without. */
export function readTotals(text: string, mark: Mark): Figures {
  const rows = text.split("\n");
  const net = rows.flatMap((row) => (LABELS.net.test(row) ? lastFigure(row, mark) : []))[0] ?? null;
  const taxes = rows.flatMap((row) => readTax(row, mark) ?? []);
  const gross = rows.flatMap((row) => (isGross(row) ? lastFigure(row, mark) : [])).at(-1);
  const tax = taxes.length === 1 ? (taxes[0]?.amount ?? null) : totalTax(rows, mark);
  return { taxes, totals: { net, tax, gross: gross ?? net ?? 0 } };
}

function isGross(row: string): boolean {
  return LABELS.gross.test(row) && !LABELS.net.test(row) && !LABELS.rate.test(row);
}

/** A row such as `VAT 20 % on 100.00: 20.00`, or one without the base. */
function readTax(row: string, mark: Mark): Figures["taxes"][number] | null {
  const rate = LABELS.rate.exec(row)?.[1];
  if (rate === undefined || !LABELS.tax.test(row) || row.search(LABELS.vat) !== -1) return null;
  const figures = figuresOf(row, mark);
  const amount = figures.at(-1);
  const percent = readCell(rate, mark);
  if (amount === undefined || percent === null) return null;
  const base = figures.length > 1 ? (figures[0] ?? null) : null;
  return { rate: percent, base, amount };
}

/** Where there are several rates, the sum is stated on a row of its own, or not at all. */
function totalTax(rows: readonly string[], mark: Mark): number | null {
  const stated = rows.flatMap((row) =>
    /^\s*(?:total (?:vat|tax)|summe (?:mwst|ust|steuer)|steuer gesamt)/i.test(row)
      ? lastFigure(row, mark)
      : [],
  );
  return stated[0] ?? null;
}

function figuresOf(row: string, mark: Mark): number[] {
  return (row.match(FIGURE) ?? []).flatMap((found) => readCell(found.replace("−", "-"), mark) ?? []);
}

function lastFigure(row: string, mark: Mark): number[] {
  return figuresOf(row, mark).slice(-1);
}
