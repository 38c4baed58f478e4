import { toSource } from "../read-source.ts";
import type { Source } from "../read-source.ts";

const FRONT_MATTER = /^---\n([^]*?)\n---\n/;
const COMMENT = /<!--[^]*?(?:-->|$)/g;
/** Marks that a reader does not see, with what is left of them. */
const MARKS: readonly (readonly [RegExp, string])[] = [
  [/^(?:```|~~~).*$/gm, ""],
  [/!\[([^\]]*)\]\([^)\s]*(?:\s"[^"]*")?\)/g, "$1"],
  [/\[([^\]]+)\]\([^)\s]*(?:\s"[^"]*")?\)/g, "$1"],
  [/^#{1,6}\s+(.*?)\s*#*$/gm, "\n$1\n"],
  [/^\s{0,3}>\s?/gm, ""],
  [/^\s*(?:[-*+]|\d{1,3}\.)\s+(.*)$/gm, "\n$1\n"],
  [/(\*\*|__)(?=\S)([^\n]*?\S)\1/g, "$2"],
  [/(?<![\w*])\*(?=\S)([^*\n]+?)\*(?![\w*])/g, "$1"],
  [/`([^`\n]+)`/g, "$1"],
  [/<[a-z/][^<>\n]{0,200}>/gi, " "],
];

/** A source from Markdown: front matter or the first heading names it, and its marks are taken off. */
export function readMarkdown(sourceId: string, text: string): Source {
  const plain = text.replaceAll("\r\n", "\n");
  const front = FRONT_MATTER.exec(plain);
  const body = plain.slice(front?.[0].length ?? 0);
  const known = (names: string): string | undefined =>
    new RegExp(`^(?:${names}):[ \\t]*["']?(.+?)["']?[ \\t]*$`, "im").exec(front?.[1] ?? "")?.[1];
  const heading = /^#{1,2}\s+(.+?)\s*#*$/m.exec(body)?.[1];
  const read = MARKS.reduce(
    (left, [mark, rest]) => left.replaceAll(mark, rest),
    body.replaceAll(COMMENT, ""),
  );
  return toSource({
    sourceId,
    title: known("title") ?? heading,
    publisher: known("publisher|author|organi[sz]ation"),
    published: known("published|date"),
    body: read,
    unseen: [front?.[1] ?? "", ...(body.match(COMMENT) ?? [])].join("\n\n"),
  });
}
