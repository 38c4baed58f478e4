/** Rows as text in columns: texts to the left, numbers to the right. */
export function formatTable(headings, rows, { gap = 1 } = {}) {
  const widths = headings.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => String(row[column]).length)),
  );
  const line = (cells, isHeading) =>
    cells
      .map((cell, column) => {
        const text = String(cell);
        const isNumber = typeof rows[0]?.[column] === "number";
        return isNumber ? text.padStart(widths[column]) : text.padEnd(widths[column]);
      })
      .join(" ".repeat(gap))
      .trimEnd();
  return [line(headings, true), ...rows.map((row) => line(row, false))].join("\n");
}
