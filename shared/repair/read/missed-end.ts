import { keyEnd } from "./lookahead.ts";
import { noteCut, isBlank, ReadRefusal, spend, noteStep, noteTakenOut } from "./reader.ts";
import type { Position, Reader } from "./reader.ts";
import { noteMarks } from "./string-scan.ts";
import type { Scan } from "./string-scan.ts";

/** Handles `"b, "d": 1`: the quote opens the next name, so the string ends before the comma or line break. */
export function endBeforeNextKey(reader: Reader, scan: Scan): string | undefined {
  if (scan.depth > 0 || keyEnd(reader, scan.at) === -1) return undefined;
  const comma = rowBefore(reader, scan) ?? commaBefore(reader, scan);
  if (comma === undefined) return undefined;
  return rewindToComma(reader, comma);
}

/**
 * Handles `c}, {"name":`: the quote opens the first name of the next row, so the string ends before its own row does.
 */
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
