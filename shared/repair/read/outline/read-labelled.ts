import type { Entry, Tree } from "../tree.ts";
import { plainScalar } from "./plain-scalar.ts";
import { grouped } from "../tree.ts";

/** A bullet, number or heading, a name in any emphasis, a separator on either side of it, and the value. */
const LINE =
  /^\s*(?:[-*+•▪‣◦·–—]\s+|\d{1,3}[.)]\s+|#{1,6}\s+|\|\s*)?[*_`"'“]{0,3}([\p{L}_$](?:[\p{L}\p{N}_ .$/()&'-]|\[\d{1,4}\]){0,60}?)[*_`"'”]{0,3}\s*([:：=]|->|→|=>|\s[-–—](?=\s))[*_`]{0,3}(?:\s+|(?<=[:：=]))([*_`]{0,3}\S.*|)$/u;

/** A line between records: a rule, a number of its own, `*** 1. row ***`, `-[ RECORD 2 ]---`, `## Person 2`. */
const BREAK =
  /^\s*(?:[-*=_]{3,}|\*{3}.{1,60}\*{3}|-\[ ?RECORD \d+ ?\].*|(?:#{1,6}\s+|\*\*)?[\p{L} ]{0,30}#?\d{1,4}[.):]?(?:\*\*)?)\s*$/u;

/**
 * Reads lines of a name and a value in whatever emphasis, with or without bullets: `- **Name:** Ann`, `1. *age* - 7`.
 * A name that comes again begins the next object of a list, or is the next item of a list of that name. None where a
 * line is something else.
 *
 * @param readFlow - Reads a text in JSON's own marks; undefined where it is none.
 */
export function readLabelled(text: string, readFlow: (text: string) => Tree | undefined): Tree[] {
  const records: Entry[][] = [[]];
  for (const line of linesOf(text)) {
    if (line.trim() === "") continue;
    if (BREAK.test(line) && text.includes("\n")) {
      if (records.at(-1)?.length !== 0) records.push([]);
      continue;
    }
    const entry = entryOf(line, readFlow);
    if (entry === undefined) return [];
    if (records.at(-1)?.some(({ key }) => key === entry.key) === true) records.push([]);
    records.at(-1)?.push(entry);
  }
  // A number behind the last record is no beginning of another one.
  if (records.length > 1 && records.at(-1)?.length === 0 && /\d\W*$/.test(text)) return [];
  const trees = records.filter((entries) => entries.length > 0).map(toObject);
  const [only, ...others] = trees;
  if (only === undefined) return [];
  if (others.length === 0) return [only];
  return [{ kind: "array", items: trees }, toObject(grouped(records.flat()))];
}

/** The lines of a text; the parts of its only line where bars separate them. */
function linesOf(text: string): string[] {
  const plain = text.trim();
  return plain.includes("\n") || plain.startsWith("|") ? text.split("\n") : plain.split(/\s\|\s/);
}

function toObject(entries: readonly Entry[]): Tree {
  return { kind: "object", entries };
}

function entryOf(line: string, readFlow: (text: string) => Tree | undefined): Entry | undefined {
  const found = LINE.exec(line);
  if (found === null) return undefined;
  const written = withoutEmphasis((found[3] ?? "").trim());
  const flow = /^(?:\[.*\]|\{.*\})$/.test(written) ? readFlow(written) : undefined;
  const value: Tree = written === "" ? { kind: "literal", value: null } : (flow ?? plainScalar(written));
  return { key: (found[1] ?? "").trim(), value };
}

/** Takes off emphasis that covers the whole value. */
function withoutEmphasis(value: string): string {
  return /^(\*\*|__|`|\*|_)([^*`]+)\1$/.exec(value)?.[2] ?? value;
}
