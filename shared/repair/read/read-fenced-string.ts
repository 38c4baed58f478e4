import { endsString } from "./lookahead.ts";
import { foundCut, spend, took } from "./reader.ts";
import type { Place, Reader } from "./reader.ts";

const FENCES: readonly string[] = ['"""', "'''", "```"];

/**
 * Reads a string between triple marks: Python's triple quotes or a block of code. The text between them is
 * taken as it stands, less the line with the opening marks, the common indent of the lines, and the line with
 * the closing marks.
 *
 * @returns undefined, with the reader unmoved, where no such string starts here.
 */
export function readFencedString(reader: Reader, place: Place): string | undefined {
  if (reader.text[reader.at + 1] !== reader.text[reader.at]) return undefined;
  const fence = FENCES.find((marks) => reader.text.startsWith(marks, reader.at));
  if (fence === undefined || place === "key") return undefined;
  // `"""` is also an empty string and a stray mark; without a partner it is read as such.
  const close = closingFence(reader, { fence, place, from: reader.at + fence.length });
  if (close === -1 && fence !== "```") return undefined;
  if (close === -1) foundCut(reader, "cut_string");
  const stop = close === -1 ? reader.end : close;
  const inner = reader.text.slice(reader.at + fence.length, stop);
  spend(reader.work, inner.length);
  took(reader, "triple_quotes", 1);
  reader.at = Math.min(reader.end, stop + fence.length);
  return dedent(inner, fence === "```");
}

function closingFence(reader: Reader, look: { fence: string; place: Place; from: number }): number {
  const question = `${look.fence} ${look.place} ${reader.open.length > 0}`;
  if (reader.lacking.has(question)) return -1;
  let from = look.from;
  let at = reader.text.indexOf(look.fence, from);
  while (at !== -1 && at + look.fence.length <= reader.end) {
    spend(reader.work, at - from + 1);
    from = at;
    if (endsString(reader, at + look.fence.length, look.place)) return at;
    at = reader.text.indexOf(look.fence, at + 1);
  }
  reader.lacking.add(question);
  return -1;
}

/** Takes the block's own indentation off, so that moving a block inside its JSON does not change it. */
function dedent(block: string, hasInfoLine: boolean): string {
  const lines = block.split("\n");
  if (lines.length === 1) return block;
  const first = lines[0] ?? "";
  if (first.trim() === "" || (hasInfoLine && /^[\w+#.-]*\s*$/.test(first))) lines.shift();
  if ((lines.at(-1) ?? "").trim() === "") lines.pop();
  const indents = lines
    .filter((line) => line.trim() !== "")
    .map((line) => line.length - line.trimStart().length);
  const indent = indents.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY);
  if (!Number.isFinite(indent) || indent === 0) return lines.join("\n");
  return lines.map((line) => line.slice(indent)).join("\n");
}
