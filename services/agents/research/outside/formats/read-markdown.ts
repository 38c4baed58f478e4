import { toSource } from "../read-source.ts";
import type { Source } from "../read-source.ts";

const FRONT_MATTER = /^---\n([^]*?)\n---\n/;
const COMMENT = /<!--[^]*?(?:-->|$)/g;

/** A source from Markdown: front matter or the first heading names it. Its marks are left to whoever reads it. */
export function readMarkdown(sourceId: string, text: string): Source {
  const plain = text.replaceAll("\r\n", "\n");
  const front = FRONT_MATTER.exec(plain);
  const body = plain.slice(front?.[0].length ?? 0);
  const known = (names: string): string | undefined =>
    new RegExp(`^(?:${names}):[ \\t]*["']?(.+?)["']?[ \\t]*$`, "im").exec(front?.[1] ?? "")?.[1];
  return toSource({
    sourceId,
    title: known("title") ?? /^#{1,2}\s+(.+?)\s*#*$/m.exec(body)?.[1],
    publisher: known("publisher|author|organi[sz]ation"),
    published: known("published|date"),
    body: body.replaceAll(COMMENT, ""),
    unseen: [front?.[1] ?? "", ...(body.match(COMMENT) ?? [])].join("\n\n"),
  });
}
