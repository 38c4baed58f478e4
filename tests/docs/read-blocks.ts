import { globSync, readFileSync } from "node:fs";

/** A fenced code block of a page. */
export interface Block {
  readonly page: string;
  /** Line of its first line of code, from 1. */
  readonly line: number;
  /** First word after the fence, such as `ts`. Empty: none. */
  readonly language: string;
  /** True for a block that is also run: `ts run`. */
  readonly isRun: boolean;
  /** Reason for which it cannot be checked: the words after `unchecked:`. Null: it is checked. */
  readonly unchecked: string | null;
  readonly code: string;
  /** Code that the page leaves out, from a comment `<!-- around … -->` right before the block. */
  readonly around: { readonly before: string; readonly after: string };
}

/** An optional hidden comment, then the block. Blocks in lists are indented. */
const BLOCK = /(?:^<!-- around\n([^]*?)^-->\n+)?^( *)```([^\n`]*)\n([^]*?)^ *```$/gm;

/** Returns all code blocks of the README and of `docs`, of generated pages too. */
export function readBlocks(): Block[] {
  return ["README.md", ...globSync("docs/**/*.md").toSorted()].flatMap((page) =>
    readBlocksOf(page, readFileSync(page, "utf8")),
  );
}

export function readBlocksOf(page: string, text: string): Block[] {
  return [...text.matchAll(BLOCK)].map((match) => {
    const [whole, around = "", indent = "", info = "", code = ""] = match;
    const [language = "", ...words] = info.split(" ");
    const [before = "", after = ""] = around.split(/^…\n/m);
    const codeAt = match.index + whole.lastIndexOf(code);
    return {
      page,
      line: text.slice(0, codeAt).split("\n").length,
      language,
      isRun: words[0] === "run",
      unchecked: /unchecked: (.+)$/.exec(info)?.[1] ?? null,
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
      around: { before, after },
    };
  });
}
