import { ReadRefusal, spend, noteStep } from "./reader.ts";
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
  if (!STRUCTURE.test(text)) return;
  if (!isWhole) throw ReadRefusal.of("ambiguous");
  noteStep(reader, "structure_as_text", 3);
}

const STRUCTURE =
  /"\s{0,20}[,:]\s{0,20}["[{\d]|"\s{0,20}[\w-]{1,60}\s{0,4}:(?!\/\/)|[{[]\s{0,20}"[^"]{0,60}"\s{0,20}[:,]|"\s{0,20}[{[]\s{0,20}$/;
