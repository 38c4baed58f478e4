import { globSync, readFileSync } from "node:fs";
import { parseSync, Visitor } from "oxc-parser";
import type { Comment, Program, Span } from "oxc-parser";

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

/** One parsed source file. */
export interface Source {
  readonly path: string;
  readonly text: string;
  readonly program: Program;
  readonly comments: readonly Comment[];
}

/** Parses the TypeScript files that match, tests aside, in the order of their paths. */
export function parseFiles(patterns: readonly string[]): Source[] {
  return globSync([...patterns])
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .toSorted()
    .map((path) => {
      const text = readFileSync(path, "utf8");
      const { program, comments } = parseSync(path, text);
      return { path, text, program, comments };
    });
}

export function textOf(source: Source, { start, end }: Span): string {
  return source.text.slice(start, end);
}

/** Returns the comment directly before a node as one line of text; empty where there is none. */
export function docOf({ text, comments }: Source, { start }: Span): string {
  const before = comments.findLast(
    ({ end }) => end <= start && /^\s*(?:export\s+)?$/.test(text.slice(end, start)),
  );
  const lines = (before?.value ?? "").split("\n").map((line) => line.replace(/^\s*\*?\s?/, "").trim());
  const tag = lines.findIndex((line) => line.startsWith("@"));
  return (tag === -1 ? lines : lines.slice(0, tag)).join(" ").trim();
}

export { Visitor };
