import type { Entry, Tree } from "../tree.ts";
import { plainScalar } from "./plain-scalar.ts";

/** A bullet, number or heading, a name in any emphasis, a separator on either side of it, and the value. */
const LINE =
  /^\s*(?:[-*+•▪‣◦·–—]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|\|\s*)?[*_`"'“]{0,3}([\p{L}_$][\p{L}\p{N}_ .$/()&'-]{0,60}?)[*_`"'”]{0,3}\s*([:：=]|->|→|=>|\s[-–—]\s)[*_`]{0,3}(?:\s+|(?<=[:：=]))([*_`]{0,3}\S.*|)$/u;

/**
 * Reads lines of a name and a value in whatever emphasis, with or without bullets: `- **Name:** Ann`, `1. *age* - 7`.
 * A name that comes again begins the next object of a list. Undefined where a line is something else.
 *
 * @param readFlow - Reads a text in JSON's own marks; undefined where it is none.
 */
export function readLabelled(text: string, readFlow: (text: string) => Tree | undefined): Tree | undefined {
  const records: Entry[][] = [[]];
  for (const line of text.split("\n")) {
    if (line.trim() === "" || /^\s*(?:-{3,}|\*{3,}|={3,}|_{3,})\s*$/.test(line)) continue;
    const found = LINE.exec(line);
    if (found === null) return undefined;
    const key = (found[1] ?? "").trim();
    const written = withoutEmphasis((found[3] ?? "").trim());
    const value =
      (/^(?:\[.*\]|\{.*\})$/.test(written) ? readFlow(written) : undefined) ?? plainScalar(written);
    const isNext = records.at(-1)?.some((entry) => entry.key === key) === true;
    if (isNext) records.push([]);
    records.at(-1)?.push({ key, value });
  }
  const trees = records.map((entries): Tree => ({ kind: "object", entries }));
  const [only, ...others] = trees;
  if (only === undefined || records[0]?.length === 0) return undefined;
  return others.length === 0 ? only : { kind: "array", items: trees };
}

/** Takes off emphasis that covers the whole value. */
function withoutEmphasis(value: string): string {
  return /^(\*\*|__|`|\*|_)([^*`]+)\1$/.exec(value)?.[2] ?? value;
}
