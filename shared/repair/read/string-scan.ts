import { noteTakenOut, ReadRefusal, spend, noteStep } from "./reader.ts";
import type { Reader } from "./reader.ts";

/** Progress inside a string, which decides whether an inner quote is text. */
export interface Scan {
  readonly pieces: string[];
  at: number;
  /** Number of escaped quotes. */
  escaped: number;
  /** Number of quotes taken as text. */
  marks: number;
  /** Number of unclosed brackets in the text, counted from the first inner quote. */
  depth: number;
  /** The comma directly before the first quote that was taken as text. */
  comma: { readonly at: number; readonly text: string } | undefined;
}

/**
 * Records quotes in `Oslo", "zip": 179` that were taken as text and look like those between members. In a complete
 * string with balanced brackets they may be quoted JSON; elsewhere the string has swallowed what follows.
 */
export function noteMarks(reader: Reader, text: string, isWhole: boolean): void {
  spend(reader.work, text.length);
  noteStep(reader, "unescaped_quote", 1);
  if (
    LINE_AFTER.test(text) ||
    UNOPENED.test(text) ||
    (!isWhole && (LONE_QUOTE.test(text) || ENDED_BEFORE.test(text)))
  )
    throw ReadRefusal.of("ambiguous");
  noteTakenOut(reader, text);
  if (!STRUCTURE.test(text)) return;
  if (!isWhole || ITEMS.test(text)) throw ReadRefusal.of("ambiguous");
  noteStep(reader, "structure_as_text", 3);
}

/** Items of JavaScript's templates on lines of their own. */
const ITEMS = /`,[ \t]*\n\s{0,40}`/;

/** The end of a string, and then of its line: `red",⏎`, `red"⏎}`. */
const LINE_AFTER = /"[ \t]{0,9},?[ \t]{0,9}\n\s*["}\]]?$|",[ \t]{0,9}\n/;

const STRUCTURE =
  /"\s{0,20}[,:]\s{0,20}["[{\d]|"\s{0,20}[\w-]{1,60}\s{0,4}:(?!\/\/)|[{[]\s{0,20}"[^"]{0,60}"\s{0,20}[:,]|"\s{0,20}[{[]\s{0,20}$|^[^"]*[^\s"([{]"\s{0,20},\s|`\s{0,20}[,:]\s{0,20}`|[^\s"]""[^\s"]/;

/**
 * A closing bracket behind a quote without an opening one before it, a name with its colon at the beginning, and the
 * next item behind a quote that ended one: `page"r,"slack`.
 */
const UNOPENED =
  /^[^([{]*"\s{0,9}[)\]}]|^[\p{L}\p{N}_ -]{1,60}"\s{0,9}:\s{0,9}"|^[^"]*[\p{L}\p{N}]"[\p{L}\p{N}][^"]*,\s{0,9}"/u;

/** A quote without a partner before a comma or between letters may end a string whose follower lacks its own. */
export const LONE_QUOTE = /(?<!\d)"\s{0,20},|[\p{L}\p{N}]"\p{L}|"$|^[\p{L}\p{N}_-]{1,60}\s?:\s?"/u;

/** `red"-`: the text ends at its lone quote, and a mark follows. */
export const ENDED_BEFORE = /^[^"]*"[^\p{L}\p{N}"]{0,9}$/u;
