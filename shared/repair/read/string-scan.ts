import { ReadRefusal, spend, took } from "./reader.ts";
import type { Reader } from "./reader.ts";

/** What was seen inside the string so far; it decides whether a mark in the middle is text. */
export interface Scan {
  readonly pieces: string[];
  at: number;
  /** Marks with a backslash before them. */
  escaped: number;
  /** Marks taken as text. */
  marks: number;
  /** Brackets opened in the text and not closed; counted from the first mark on or before it. */
  depth: number;
  /** The comma before the first mark that was taken as text, when nothing but blanks lies between. */
  comma: { readonly at: number; readonly text: string } | undefined;
}

/**
 * `Oslo", "zip": 179`: marks taken as text that stand as they do between members. In a string that has its own end
 * and its brackets in balance it may be quoted JSON; elsewhere the string has swallowed what came after it.
 */
export function noteMarks(reader: Reader, text: string, isWhole: boolean): void {
  spend(reader.work, text.length);
  took(reader, "unescaped_quote", 1);
  if (!STRUCTURE.test(text)) return;
  if (!isWhole) throw ReadRefusal.of("ambiguous");
  took(reader, "structure_as_text", 3);
}

const STRUCTURE =
  /"\s{0,20}[,:]\s{0,20}["[{\d]|"\s{0,20}[\w-]{1,60}\s{0,4}:(?!\/\/)|[{[]\s{0,20}"[^"]{0,60}"\s{0,20}[:,]|"\s{0,20}[{[]\s{0,20}$/;
