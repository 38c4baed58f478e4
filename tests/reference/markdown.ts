/** The first lines of every generated page. */
export function pageHead(title: string, intro: string): string {
  return `# ${title}\n\n${intro}\n\nThis page is generated: \`npm run reference\` writes it, and a test holds it to the code.\n`;
}

/** A Markdown table. Bars and line breaks in cells are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(" | ")} |`;
  return `${[line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")}\n`;
}

function escapeCell(cell: string): string {
  return cell
    .replaceAll("|", "\\|")
    .replaceAll(/\s*\n\s*/g, " ")
    .trim();
}

/** Text in backticks, more of them than the text has; empty text stays empty. */
export function code(text: string): string {
  if (text === "") return "";
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const marks = "`".repeat(longest + 1);
  const pad = /^`|`$/.test(text) ? " " : "";
  return `${marks}${pad}${text}${pad}${marks}`;
}
