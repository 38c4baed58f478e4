/** A title and rows under their heads, the first column a label and the others figures. */
export interface Table {
  readonly title: string;
  readonly rows: readonly (readonly string[])[];
}

/** Prints tables as Markdown, as pages hold them: the first column to the left and the others to the right. */
export function printTables(tables: readonly Table[]): void {
  for (const { title, rows } of tables) {
    const [heads = [], ...body] = rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
    const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
    const rule = heads.map((_, column) => (column === 0 ? "---" : "---:"));
    console.log([`\n**${title}**`, "", line(heads), line(rule), ...body.map(line)].join("\n"));
  }
}
