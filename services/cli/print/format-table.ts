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

/**
 * Characters that a terminal acts on or does not show: controls, formats such as those that set the writing direction,
 * halves of a pair, line separators, and letters without ink. Line breaks and tabs stay.
 */
const HIDDEN = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u{115F}\u{1160}\u{3164}\u{FFA0}]/gu;

/** Returns the text with each hidden character written out, as `⟨U+202E⟩`. */
export function visible(text: string): string {
  return text.replaceAll(HIDDEN, (one) => `⟨U+${hex(one.codePointAt(0) ?? 0).toUpperCase()}⟩`);
}

/** Returns the value as JSON text in which hidden characters are escaped: programs read the same value. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(HIDDEN, (one) =>
    Array.from({ length: one.length }, (_, i) => `\\u${hex(one.charCodeAt(i))}`).join(""),
  );
}

function hex(code: number): string {
  return code.toString(16).padStart(4, "0");
}
