import { formatTable } from "../../print/format-table.ts";
import { visible } from "../../print/visible.ts";
import type { Block } from "./blocks.ts";

/** The report for a terminal. */
export function renderText(blocks: readonly Block[]): string {
  const parts = blocks.map((block) => {
    if (block.kind === "table") return formatTable(block.heads, block.rows);
    if (block.kind === "list") return block.items.map((item) => `- ${plain(item)}`).join("\n");
    return plain(block.text);
  });
  return `\n${parts.join("\n\n")}\n`;
}

/** The report as Markdown. What data brings along is written as text: it makes no markup. */
export function renderMarkdown(blocks: readonly Block[]): string {
  const parts = blocks.map((block) => {
    switch (block.kind) {
      case "heading":
        return `${"#".repeat(block.level)} ${markdown(block.text)}`;
      case "text":
        return markdown(block.text);
      case "list":
        return block.items.map((item) => `- ${markdown(item)}`).join("\n");
      case "table": {
        const rows = [
          block.heads,
          block.heads.map(() => "---"),
          ...block.rows.map((row) => row.map(markdown)),
        ];
        return rows.map((row) => `| ${row.join(" | ")} |`).join("\n");
      }
    }
  });
  return `${parts.join("\n\n")}\n`;
}

/** The report as one page of HTML that needs nothing else and runs no script. */
export function renderHtml(title: string, blocks: readonly Block[]): string {
  const parts = blocks.map((block) => {
    switch (block.kind) {
      case "heading":
        return `<h${block.level}>${html(block.text)}</h${block.level}>`;
      case "text":
        return `<p>${html(block.text)}</p>`;
      case "list":
        return `<ul>${block.items.map((item) => `<li>${html(item)}</li>`).join("")}</ul>`;
      case "table": {
        const head = block.heads.map((cell) => `<th scope="col">${html(cell)}</th>`).join("");
        const rows = block.rows.map(
          (row) => `<tr>${row.map((cell) => `<td>${html(cell)}</td>`).join("")}</tr>`,
        );
        return `<div><table><thead><tr>${head}</tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
      }
    }
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${html(title)}</title>
<style>${STYLE}</style>
</head>
<body>
${parts.join("\n")}
</body>
</html>
`;
}

const STYLE =
  "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;color:#1b1b1b;background:#fff}" +
  "div{overflow-x:auto}table{border-collapse:collapse;margin:1rem 0}th,td{border-bottom:1px solid #ccc;padding:.3rem .7rem;text-align:left;white-space:nowrap}" +
  "@media(prefers-color-scheme:dark){body{color:#eee;background:#181818}th,td{border-color:#444}}";

const plain = (text: string): string => text.split("\n").map(visible).join("\n");

function markdown(text: string): string {
  return plain(text)
    .replaceAll(/[\\`*_[\]<>|#]/g, String.raw`\$&`)
    .replaceAll("\n", " ");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

function html(text: string): string {
  return plain(text).replaceAll(/[&<>"]/g, (char) => ENTITIES[char] ?? char);
}
