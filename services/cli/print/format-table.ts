const CELL_CHARS_MAX = 60;
const GAP = "  ";

/** Columns under their heads, numbers to the right. What a service said is shown without control characters. */
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

/** Control characters could move a terminal's cursor and so hide or fake what is shown. */
export function clean(text: string): string {
  const plain = text.replaceAll(/\p{Cc}+/gu, " ");
  return plain.length > CELL_CHARS_MAX ? `${plain.slice(0, CELL_CHARS_MAX - 1)}…` : plain;
}
