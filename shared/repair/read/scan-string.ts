import { WORK } from "../bounds.ts";
import { keyEnd } from "./lookahead.ts";
import { isBlank, noteCut, noteStep, noteTakenOut, ReadRefusal, spend } from "./reader.ts";
import type { Position, Reader } from "./reader.ts";

/** Handles `"b, "d": 1`: the quote opens the next name, so the string ends before the comma or line break. */
export function endBeforeNextKey(reader: Reader, scan: Scan): string | undefined {
  if (scan.depth > 0 || keyEnd(reader, scan.at) === -1) return undefined;
  const comma = rowBefore(reader, scan) ?? commaBefore(reader, scan);
  if (comma === undefined) return undefined;
  return rewindToComma(reader, comma);
}

/** Handles `c}, {"name":`: the quote opens the next row's first name, so the string ends before its own row. */
function rowBefore(reader: Reader, scan: Scan): Scan["comma"] {
  const gap = /\}\s{0,40},\s{0,40}\{\s{0,40}$/.exec(
    reader.text.slice(Math.max(reader.at + 1, scan.at - 128), scan.at),
  )?.[0];
  if (gap === undefined || scan.marks > 0) return undefined;
  const text = scan.pieces.join("");
  return { at: scan.at - gap.length, text: text.slice(0, text.length - gap.length).trimEnd() };
}

export function commaBefore(reader: Reader, scan: Scan): Scan["comma"] {
  let at = scan.at - 1;
  while (at > reader.at && isBlank(reader.text[at] ?? "") && reader.text[at] !== "\n") at -= 1;
  spend(reader.work, scan.at - at);
  while (reader.text[at] === "\n" || reader.text[at] === "\r") at -= 1;
  const char = reader.text[at];
  const brokeLine = reader.text.slice(at + 1, scan.at).includes("\n");
  if (char !== "," && !brokeLine) return undefined;
  const cut = char === "," ? at : at + 1;
  const text = scan.pieces.join("");
  return { at: cut, text: text.slice(0, text.length - (scan.at - cut)).trimEnd() };
}

export function rewindToComma(reader: Reader, found: NonNullable<Scan["comma"]>): string {
  noteStep(reader, "missing_end_quote", 3);
  const comma = beforeClosers(reader, found);
  noteTakenOut(reader, comma.text);
  if (/["'`]/.test(comma.text)) noteMarks(reader, comma.text, false);
  reader.at = comma.at;
  return comma.text;
}

/** Ends an unterminated string at the end of the text. */
export function withoutEnd(reader: Reader, scan: Scan, position: Position): string {
  const text = scan.pieces.join("");
  if (scan.comma !== undefined && scan.marks % 2 === 1) return rewindToComma(reader, scan.comma);
  const closers = position === "key" ? -1 : trailingClosers(reader);
  if (closers > reader.at) {
    noteStep(reader, "missing_end_quote", 3);
    const kept = text.slice(0, text.length - (reader.end - closers)).trimEnd();
    noteTakenOut(reader, kept);
    if (scan.marks > 0) noteMarks(reader, kept, false);
    reader.at = closers;
    return kept;
  }
  // In `"x"` before the end of a line and prose the string ended at that quote.
  if (scan.marks > 0 && QUOTE_BEFORE_BREAK.test(reader.text.slice(reader.at + 1, reader.end)))
    throw ReadRefusal.of("ambiguous");
  noteCut(reader, "cut_string");
  if (scan.marks > 0) noteMarks(reader, text, true);
  reader.at = reader.end;
  return text;
}

const QUOTE_BEFORE_BREAK = /"[ \t]*(?:[}\],][ \t]*)*\n/;

/** Index from which the text's last characters close every open container; -1 for none. */
function trailingClosers(reader: Reader): number {
  let at = reader.end;
  for (const closer of reader.open) {
    do at -= 1;
    while (at > reader.at && isBlank(reader.text[at] ?? ""));
    if (reader.text[at] !== closer) return -1;
  }
  return reader.open.length === 0 ? -1 : at;
}

const CLOSERS_CHARS_MAX = 64;

/** Leaves brackets before the comma that close what is open: `"b], "c": 1`. */
function beforeClosers(reader: Reader, comma: NonNullable<Scan["comma"]>): NonNullable<Scan["comma"]> {
  const raw = reader.text.slice(Math.max(reader.at + 1, comma.at - CLOSERS_CHARS_MAX), comma.at);
  const tail = /(?:\s*[}\]])+\s*$/.exec(raw)?.[0] ?? "";
  const closers = tail.split("").filter((char) => char.trim() !== "");
  const isOwn = closers.every((closer, at) => reader.open.at(-1 - at) === closer);
  if (closers.length === 0 || !isOwn || /[[{]/.test(comma.text)) return comma;
  const text = comma.text.slice(0, comma.text.length - tail.trimEnd().length).trimEnd();
  return { at: comma.at - tail.length, text };
}

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

/** A bracket behind a quote that none opened, a name with its colon, and the next item: `page"r,"slack`. */
const UNOPENED =
  /^[^([{]*"\s{0,9}[)\]}]|^[\p{L}\p{N}_ -]{1,60}"\s{0,9}:\s{0,9}"|^[^"]*[\p{L}\p{N}]"[\p{L}\p{N}][^"]*,\s{0,9}"/u;

/** A quote without a partner before a comma or between letters may end a string whose follower lacks its own. */
export const LONE_QUOTE = /(?<!\d)"\s{0,20},|[\p{L}\p{N}]"\p{L}|"$|^[\p{L}\p{N}_-]{1,60}\s?:\s?"/u;

/** `red"-`: the text ends at its lone quote, and a mark follows. */
export const ENDED_BEFORE = /^[^"]*"[^\p{L}\p{N}"]{0,9}$/u;

/** Characters behind a backslash in JSON and its relatives, and the characters that they stand for. */
const [ESCAPES, ESCAPED] = ["\"'`\\/bfnrt", "\"'`\\/\b\f\n\r\t"];

/** Reads an escape, and where the next character is; an unknown one stays, as in patterns and Windows paths. */
export function readEscape(reader: Reader, at: number): { text: string; next: number } {
  spend(reader.work, WORK.escape);
  const char = at + 1 < reader.end ? (reader.text[at + 1] ?? "") : "";
  if (char === "") {
    noteCut(reader, "cut_escape");
    return { text: "", next: at + 1 };
  }
  if ((char === "b" || char === "f") && (/\w/.test(reader.text[at + 2] ?? "") || isPattern(reader, at))) {
    // `\bID`, `\frac` and `\d+\b` mean no backspace or form feed.
    noteStep(reader, "odd_escape", 1);
    return { text: `\\${char}`, next: at + 2 };
  }
  const simple = ESCAPED[ESCAPES.indexOf(char)];
  if (simple !== undefined) {
    if (char === "'" || char === "`") noteStep(reader, "odd_escape", 1);
    return { text: simple, next: at + 2 };
  }
  if (char === "u" || char === "x") return readHexEscape(reader, at, char === "u" ? 4 : 2);
  noteStep(reader, "odd_escape", 1);
  if (char === "\n") return { text: "", next: at + 2 };
  return { text: `\\${char}`, next: at + 2 };
}

/** Characters on either side of an escape that say whether the text is a pattern or a formula. */
const AROUND_CHARS = 100;
/** An escape that JSON does not have. */
const ODD_ESCAPE = /(?:^|[^\\])(?:\\\\)*\\[^"'`\\/bfnrtux\n]/;

/** Returns true for an escape in a text with others that JSON does not have: a regular expression, a formula. */
function isPattern(reader: Reader, at: number): boolean {
  spend(reader.work, 2 * AROUND_CHARS);
  const before = reader.text.slice(Math.max(0, at - AROUND_CHARS), at);
  const after = reader.text.slice(at + 2, at + 2 + AROUND_CHARS);
  return (
    ODD_ESCAPE.test(before.slice(before.lastIndexOf('"') + 1)) ||
    ODD_ESCAPE.test(/^[^"]*/.exec(after)?.[0] ?? "")
  );
}

function readHexEscape(reader: Reader, at: number, digits: number): { text: string; next: number } {
  const hex = reader.text.slice(at + 2, Math.min(reader.end, at + 2 + digits));
  if (hex.length < digits && /^[0-9a-fA-F]*$/.test(hex)) {
    noteCut(reader, "cut_escape");
    return { text: "", next: reader.end };
  }
  if (digits === 2 || !/^[0-9a-fA-F]{4}$/.test(hex)) noteStep(reader, "odd_escape", 1);
  if (!/^[0-9a-fA-F]+$/.test(hex)) return { text: reader.text.slice(at, at + 2), next: at + 2 };
  return { text: String.fromCharCode(Number.parseInt(hex, 16)), next: at + 2 + digits };
}
