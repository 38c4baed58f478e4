import { expect, it } from "vitest";
import { heading, list, paragraph, table } from "./blocks.ts";
import { renderMarkdown } from "./render.ts";

const HOSTILE = '<img src=x onerror="go()"> | [click](javascript:go()) `a` \u202Eevil';
const blocks = [
  heading(1, "Evaluation"),
  paragraph(HOSTILE),
  ...table(["name", "count"], [[HOSTILE, "3"]]),
  ...list([HOSTILE]),
];

it("writes it into Markdown as text, and keeps a table's cells apart", () => {
  const page = renderMarkdown(blocks);
  expect(page).toContain(String.raw`\<img src=x`);
  expect(page).toContain("⟨U+202E⟩");
  expect(page).toContain(String.raw`\[click\](javascript:go())`);
  const row = page.split("\n").find((line) => line.startsWith("| ") && line.includes("img")) ?? "";
  expect(row.replaceAll(String.raw`\|`, "").split("|")).toHaveLength(4);
});

it("leaves out a table without rows and a list without items", () => {
  expect([...table(["name"], []), ...list([])]).toEqual([]);
  expect(renderMarkdown([heading(1, "Evaluation")])).toBe("# Evaluation\n");
});
