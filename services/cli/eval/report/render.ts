import { visible } from "../../print/visible.ts";
import type { Block } from "./blocks.ts";

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

const plain = (text: string): string => text.split("\n").map(visible).join("\n");

function markdown(text: string): string {
  return plain(text)
    .replaceAll(/[\\`*_[\]<>|#]/g, String.raw`\$&`)
    .replaceAll("\n", " ");
}
