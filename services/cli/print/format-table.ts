import { visible } from "#shared/json";

const CELL_CHARS_MAX = 60;
const GAP = "  ";

/** Columns under their heads, numbers to the right. Hidden characters are written out. */
export function formatTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => heads.map((_, column) => clean(row[column] ?? "")));
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...cells.map((row) => row[column]?.length ?? 0)),
  );
  const isNumeric = heads.map(
    (_, column) => cells.length > 0 && cells.every((row) => /^\$?[\d.,]*$/.test(row[column] ?? "")),
  );
  const write = (row: readonly string[]): string =>
    row
      .map((cell, column) =>
        isNumeric[column] === true ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join(GAP)
      .trimEnd();
  return [write(heads), ...cells.map(write)].join("\n");
}

/** Returns a text as a cell: line breaks as spaces, hidden characters written out, cut to the cell's width. */
export function clean(text: string): string {
  const plain = visible(text.replaceAll(/[\r\n\t]+/g, " "));
  return plain.length > CELL_CHARS_MAX ? `${plain.slice(0, CELL_CHARS_MAX - 1)}…` : plain;
}
