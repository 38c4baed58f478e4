/** A title and rows under their heads, the first column a label and the others figures. */
export interface Table {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** Prints tables, the first column to the left and the others to the right. */
export function printTables(tables: readonly Table[]): void {
  for (const { title, rows } of tables) {
    const widths = (rows[0] ?? []).map((_, column) =>
      Math.max(...rows.map((row) => (row[column] ?? "").length)),
    );
    console.log(`\n${title}\n`);
    for (const row of rows) {
      const cells = row.map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      );
      console.log(`  ${cells.join("   ").trimEnd()}`);
    }
  }
}

/** The same as Markdown. */
export function toMarkdown({ title, rows }: Table): string {
  const [heads = [], ...body] = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const rule = heads.map((_, column) => (column === 0 ? "---" : "---:"));
  return [`**${title}**`, "", line(heads), line(rule), ...body.map(line)].join("\n");
}
