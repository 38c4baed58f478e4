import type { Invoice } from "../../invoice/answer.ts";
import { COLUMNS, LABELS } from "./labels.ts";
import type { Column } from "./labels.ts";
import { readAmount } from "../../invoice/reading/read-amounts.ts";

type Line = Invoice["lines"][number];
type Mark = "." | ",";

const CELLS = /\s{2,}|\t|\s*\|\s*/;
const MONEY = /[€$£]|\b(?:EUR|USD|GBP|CHF)\b/g;
const COLUMNS_LEAST = 3;

/** The lines of an invoice, from a table, from `2 x thing @ 3.50` or from labelled blocks, whichever it has. */
export function readLines(text: string, mark: Mark): Line[] {
  const rows = text.split("\n");
  const fromTable = readTable(rows, mark);
  if (fromTable.length > 0) return fromTable;
  const fromReceipt = rows.flatMap((row) => readTimes(row, mark) ?? []);
  return fromReceipt.length > 0 ? fromReceipt : readBlocks(rows, mark);
}

/** What a cell says as a number; null where it says something else as well. */
export function readCell(cell: string, mark: Mark): number | null {
  const plain = cell.replaceAll(MONEY, "").trim();
  return readAmount(plain, mark) ?? readAmount(plain, mark === "." ? "," : ".");
}

function readTable(rows: readonly string[], mark: Mark): Line[] {
  const at = rows.findIndex((row) => columnsOf(row) !== null);
  const columns = columnsOf(rows[at] ?? "");
  if (columns === null) return [];
  const lines: Line[] = [];
  for (const row of rows.slice(at + 1)) {
    if (LABELS.net.test(row) || LABELS.gross.test(row)) break;
    const line = readRow(row, columns, mark);
    const last = lines.at(-1);
    if (line !== null) lines.push(line);
    // What goes on without figures belongs to the line above.
    else if (
      last !== undefined &&
      /\p{L}{2}/u.test(row) &&
      columnsOf(row) === null &&
      !/\d[.,]\d{2}/.test(row)
    )
      lines[lines.length - 1] = { ...last, description: `${last.description} ${row.trim()}`.slice(0, 300) };
  }
  return lines;
}

/** Rules at both ends of a row are no cells. */
function cellsOf(row: string): string[] {
  return row
    .trim()
    .replaceAll(/^\||\|$/g, "")
    .trim()
    .split(CELLS);
}

function columnsOf(row: string): Column[] | null {
  const cells = cellsOf(row);
  const columns = cells.flatMap((cell) => COLUMNS.find(({ words }) => words.test(cell.trim()))?.column ?? []);
  const isHeader =
    columns.length === cells.length &&
    columns.length >= COLUMNS_LEAST &&
    columns.includes("amount") &&
    columns.includes("description");
  return isHeader ? columns : null;
}

function readRow(row: string, columns: readonly Column[], mark: Mark): Line | null {
  const cells = row
    .trim()
    .replace(/^\||\|$/g, "")
    .trim()
    .split(CELLS);
  if (cells.length !== columns.length) return null;
  const at = (column: Column): string => cells[columns.indexOf(column)] ?? "";
  const amount = readCell(at("amount"), mark);
  if (amount === null) return null;
  const quantity = readCell(at("quantity").replace(/\s*(?:h|hrs|std|stk|pcs|x)\.?$/i, ""), mark) ?? 1;
  const rate = /\d/.test(at("tax_rate")) ? readCell(at("tax_rate").replace("%", ""), mark) : null;
  return {
    description: at("description").slice(0, 300) || "?",
    quantity,
    unit_price: readCell(at("unit_price"), mark) ?? amount,
    amount,
    tax_rate: rate,
  };
}

/** `2 x Coffee @ 3.50  7.00` and `Kaffee 2 x 3,50  7,00`. */
function readTimes(row: string, mark: Mark): Line | null {
  const english =
    /^\s*(\d+(?:[.,]\d+)?)\s*[x×]\s+(.+?)\s+@\s*[€$£]?\s*([\d.,]+)\s+[€$£]?\s*(-?[\d.,]+)/i.exec(row);
  const german = /^\s*(.+?)\s+(\d+(?:[.,]\d+)?)\s*[x×]\s*[€$£]?\s*([\d.,]+)\s+[€$£]?\s*(-?[\d.,]+)/i.exec(
    row,
  );
  const [quantity, description] = english === null ? [german?.[2], german?.[1]] : [english[1], english[2]];
  const price = readCell((english ?? german)?.[3] ?? "", mark);
  const amount = readCell((english ?? german)?.[4] ?? "", mark);
  const count = readCell(quantity ?? "", mark);
  if (description === undefined || price === null || amount === null || count === null) return null;
  return { description, quantity: count, unit_price: price, amount, tax_rate: null };
}

const BLOCK = {
  description:
    /^\s*(?:item|article|artikel|leistung|service|position \d+|description|bezeichnung)\s*:\s*(\D.*)$/i,
  quantity: /^\s*(?:quantity|menge|anzahl|hours|stunden)\s*:\s*([\d.,]+)/i,
  unit_price: /^\s*(?:unit price|price(?: each)?|preis|einzelpreis|rate|satz)\s*:\s*(.*)$/i,
  amount: /^\s*(?:amount|line total|betrag|positionsbetrag)\s*:\s*(.*)$/i,
  tax_rate: /^\s*(?:vat|mwst|ust|tax)(?: rate|-?satz)?\s*:\s*([\d.,]+)\s*%\s*$/i,
} as const;

/** Each part of a line on a line of its own, under its name; the first part begins the next. */
function readBlocks(rows: readonly string[], mark: Mark): Line[] {
  const blocks: Partial<Record<keyof typeof BLOCK, string>>[] = [];
  for (const row of rows) {
    const description = BLOCK.description.exec(row)?.[1];
    if (description !== undefined) blocks.push({ description });
    const block = blocks.at(-1);
    if (block === undefined) continue;
    for (const part of ["quantity", "unit_price", "amount", "tax_rate"] as const) {
      const said = BLOCK[part].exec(row)?.[1];
      if (said !== undefined) block[part] ??= said;
    }
  }
  return blocks.flatMap((block) => {
    const amount = readCell(block.amount ?? "", mark);
    if (amount === null) return [];
    return {
      description: (block.description ?? "?").trim().slice(0, 300),
      quantity: readCell(block.quantity ?? "1", mark) ?? 1,
      unit_price: readCell(block.unit_price ?? "", mark) ?? amount,
      amount,
      tax_rate: block.tax_rate === undefined ? null : readCell(block.tax_rate, mark),
    };
  });
}
