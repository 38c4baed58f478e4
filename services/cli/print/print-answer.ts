import { now } from "#shared/clock";
import { escapeHidden, visible } from "#shared/json";
import { formatTable } from "./format-table.ts";

/** A column of a listing, as it is read out of a row: a field, as `field as head` where its head is another. */
export type Column<Row> =
  | (keyof Row & string)
  | `${keyof Row & string} as ${string}`
  | readonly [head: string, read: (row: Row) => unknown];

/** Writes a listing: as it came with `--json`, else as a table. */
export function printListing<Row>(listing: {
  readonly answer: unknown;
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly empty: string;
  /** Default: a table. */
  readonly json?: boolean | undefined;
}): void {
  const { answer, rows, columns, empty, json } = listing;
  if (json === true) return printJson(answer);
  if (rows.length === 0) return write(empty);
  const read = columns.map(readerOf);
  const cells = rows.map((row) => read.map(([, cellOf]) => toCell(cellOf(row))));
  write(
    formatTable(
      read.map(([head]) => head),
      cells,
    ),
  );
}

function readerOf<Row>(column: Column<Row>): readonly [head: string, read: (row: Row) => unknown] {
  if (typeof column !== "string") return column;
  const [field = "", head = field.replaceAll("_", " ")] = column.split(" as ");
  // The type of a column lets no other name pass.
  return [head, (row) => row[field as keyof Row]];
}

export function printJson(value: unknown): void {
  write(escapeHidden(JSON.stringify(value, null, 2)));
}

/** Writes a value as one line of JSON. */
export function printJsonLine(value: unknown): void {
  write(escapeHidden(JSON.stringify(value)));
}

/** Writes lines to standard output; hidden characters in them are written out. */
export function write(text: string): void {
  process.stdout.write(`${visible(text)}\n`);
}

/** Writes lines to standard error; hidden characters in them are written out. */
export function writeError(text: string): void {
  process.stderr.write(`${visible(text)}\n`);
}

/** Returns a function that prints a line of progress, at most one in `everyMs` and each once; the last always. */
export function progressTo(
  out: NodeJS.WriteStream,
  everyMs: number,
): (line: string, isLast?: boolean) => void {
  let [printedMs, printed] = [now(), ""];
  return (line, isLast = false) => {
    if (!isLast && (line === printed || now() - printedMs < everyMs)) return;
    [printedMs, printed] = [now(), line];
    out.write(`${line}\n`);
  };
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
