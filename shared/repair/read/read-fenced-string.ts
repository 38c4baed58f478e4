import { dedented } from "./dedented.ts";
import { endsString } from "./lookahead.ts";
import { noteCut, spend, noteStep } from "./reader.ts";
import type { Position, Reader } from "./reader.ts";

const FENCES: readonly string[] = ['"""', "'''", "```"];

/**
 * Reads a string between triple marks: Python's triple quotes, or a code block. Returns the text verbatim, without
 * the lines of the marks and the common indentation.
 * @returns undefined, without moving the reader, when no such string starts here.
 */
export function readFencedString(reader: Reader, position: Position): string | undefined {
  if (reader.text[reader.at + 1] !== reader.text[reader.at]) return undefined;
  const fence = FENCES.find((marks) => reader.text.startsWith(marks, reader.at));
  if (fence === undefined || position === "key") return undefined;
  // `"""` may also be an empty string and a stray quote; without a closing partner it is read so.
  const close = closingFence(reader, { fence, position, from: reader.at + fence.length });
  if (close === -1 && fence !== "```") return undefined;
  if (close === -1) noteCut(reader, "cut_string");
  const stop = close === -1 ? reader.end : close;
  const inner = reader.text.slice(reader.at + fence.length, stop);
  spend(reader.work, inner.length);
  noteStep(reader, "triple_quotes", 1);
  reader.at = Math.min(reader.end, stop + fence.length);
  return dedent(inner, fence === "```");
}

function closingFence(reader: Reader, search: { fence: string; position: Position; from: number }): number {
  const question = `${search.fence} ${search.position} ${reader.open.length > 0}`;
  if (reader.lacking.has(question)) return -1;
  let from = search.from;
  let at = reader.text.indexOf(search.fence, from);
  while (at !== -1 && at + search.fence.length <= reader.end) {
    spend(reader.work, at - from + 1);
    from = at;
    if (endsString(reader, at + search.fence.length, search.position)) return at;
    at = reader.text.indexOf(search.fence, at + 1);
  }
  reader.lacking.add(question);
  return -1;
}

/** The language after a fence, with a file's name or attributes: `ts title="a.ts"`, `jsx {1,3}`, `{.python}`. */
const INFO_LINE =
  /^[\w+#.-]*\s*(?:\{[^}]*\}|(?:[\w-]+=(?:"[^"]*"|[^\s"]+)(?:\s+|$))+|[\w./-]+\.\w{1,5})?\s*$/;

/** Removes the block's own indentation, so that moving a block inside its JSON does not change it. */
function dedent(block: string, hasInfoLine: boolean): string {
  const lines = block.split("\n");
  if (lines.length === 1) return block;
  const first = lines[0] ?? "";
  if (first.trim() === "" || (hasInfoLine && INFO_LINE.test(first))) lines.shift();
  if ((lines.at(-1) ?? "").trim() === "") lines.pop();
  return dedented(lines).join("\n");
}
