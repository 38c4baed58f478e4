import { WORK } from "../bounds.ts";
import { blanksEnd, closersOf, endsString, opensString } from "./lookahead.ts";
import { isBlank, noteDoubt, noteStep, noteTakenOut, peek, ReadRefusal, spend } from "./reader.ts";
import type { Position, Reader } from "./reader.ts";
import {
  commaBefore,
  endBeforeNextKey,
  ENDED_BEFORE,
  LONE_QUOTE,
  noteMarks,
  readEscape,
  rewindToComma,
  withoutEnd,
} from "./scan-string.ts";
import type { Scan } from "./scan-string.ts";

/** Reads a string at its quotation mark. A quote inside ends it only where what follows fits; else it is text. */
export function readString(reader: Reader, position: Position): string {
  const parts = [readOneString(reader, position)];
  while (movesToNext(reader)) parts.push(readOneString(reader, position));
  return parts.join("");
}

function readOneString(reader: Reader, position: Position): string {
  const opener = peek(reader);
  // Python's triple quotes and code blocks are not read.
  if (position !== "key" && peek(reader, 1) === opener && peek(reader, 2) === opener)
    throw ReadRefusal.of("ambiguous");
  if (opener !== '"') noteStep(reader, "odd_quotes", 1);
  const scan: Scan = {
    pieces: [],
    at: reader.at + 1,
    escaped: 0,
    marks: 0,
    depth: 0,
    comma: undefined,
  };
  const text = scanString(reader, { scan, position, closers: closersOf(opener) });
  // French sets blanks inside its quotes.
  return opener === "«" ? text.trim() : text;
}

interface StringScan {
  readonly scan: Scan;
  readonly position: Position;
  readonly closers: string;
}

function scanString(reader: Reader, { scan, position, closers }: StringScan): string {
  let from = scan.at;
  const isPath = /^[A-Za-z]:\\[^\\"]/.test(reader.text.slice(from, from + 4));
  if (isPath) noteStep(reader, "odd_escape", 1);
  const flush = (): void => {
    scan.pieces.push(reader.text.slice(from, scan.at));
  };
  while (scan.at < reader.end) {
    const char = reader.text[scan.at] ?? "";
    if (char === "\\" && isPath && !'\\"'.includes(reader.text[scan.at + 1] ?? '"')) {
      // `C:\temp\new` has no tab and no line break.
      scan.at += 1;
    } else if (char === "\\" && isSlashBeforeEnd(reader, { scan, position, isPath })) {
      scan.at += 1;
      flush();
      return finish(reader, scan, scan.at + 1);
    } else if (char === "\\") {
      flush();
      const escape = readEscape(reader, scan.at);
      scan.pieces.push(escape.text);
      scan.at = from = escape.next;
    } else if (closers.includes(char)) {
      flush();
      const ended = atMark(reader, { scan, position });
      if (ended !== undefined) return ended;
      from = scan.at;
      scan.at += 1;
    } else if (endsByForeign(reader, { scan, position, closers })) {
      flush();
      noteStep(reader, "odd_end", 2);
      return finish(reader, scan, scan.at + 1);
    } else {
      if (char === "{" || char === "[") scan.depth += 1;
      // A text that closes more than it opened closes a value around it.
      else if (char === "}" || char === "]") scan.depth = scan.depth > 0 ? scan.depth - 1 : -Infinity;
      scan.at += 1;
    }
  }
  flush();
  spend(reader.work, scan.at - reader.at);
  return withoutEnd(reader, scan, position);
}

const NEXT_MEMBER = /^\s{0,40},\s{0,40}"[\w -]{1,60}"\s{0,40}:/;

/** Returns true when a backslash before a quote is text, at the end of a path; elsewhere that may be ambiguous. */
function isSlashBeforeEnd(
  reader: Reader,
  { scan, position, isPath }: { scan: Scan; position: Position; isPath: boolean },
): boolean {
  if (reader.text[scan.at + 1] !== '"') return false;
  const after = scan.at + 2;
  const ends = position === "member" && NEXT_MEMBER.test(reader.text.slice(after, after + 160));
  if (isPath && (ends || /^\s*[}\]]/.test(reader.text.slice(after, after + 40)))) return true;
  if (ends && scan.escaped % 2 === 0) throw ReadRefusal.of("ambiguous");
  scan.escaped += 1;
  return false;
}

/** Decides about a quote: returns the text of a string that ends here or ended earlier; undefined where it is text. */
function atMark(reader: Reader, { scan, position }: Omit<StringScan, "closers">): string | undefined {
  spend(reader.work, WORK.innerQuote);
  const after = scan.at + 1;
  const turn = reader.turns.get(scan.at);
  if (turn === "end") {
    // A quote after a blank and before a letter opens something.
    if (isBlank(reader.text[scan.at - 1] ?? "") && /[\p{L}\p{N}]/u.test(reader.text[after] ?? ""))
      noteStep(reader, "odd_end", 3);
    return finish(reader, scan, after);
  }
  if (
    turn === undefined &&
    endsString(reader, after, position) &&
    !isInnerEnd(reader, { scan, after, position })
  ) {
    if (scan.marks > 0) noteDoubt(reader, { at: scan.at, turn: "text" });
    if (scan.comma !== undefined && scan.marks % 2 === 1) return rewindToComma(reader, scan.comma);
    return finish(reader, scan, after);
  }
  if (turn === undefined && position !== "key") noteDoubt(reader, { at: scan.at, turn: "end" });
  if (scan.marks % 2 === 0 && isStrayPair(reader, scan.at, position)) {
    noteStep(reader, "stray_quote", 2);
    return finish(reader, scan, after + 1);
  }
  const missed = position === "member" ? endBeforeNextKey(reader, scan) : undefined;
  if (missed !== undefined) return missed;
  if (position === "member" && scan.marks === 0 && isSecondString(reader, scan.at))
    throw ReadRefusal.of("ambiguous");
  if (scan.marks === 0 && position === "item") scan.comma = commaBefore(reader, scan);
  scan.marks += 1;
  return undefined;
}

/** Opening marks by the marks of other kinds that may end a string. */
const FOREIGN_ENDS: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'‘",
  "`": "`",
  "’": "‘",
  "‘": "‚",
  "”": "“„",
  "“": "„",
  "»": "«",
  "´": "`",
};

/** `"first”, "n": 4`: the mark at `scan.at` is of another kind, ends what its place needs, and nothing else does. */
function endsByForeign(reader: Reader, { scan, position, closers }: StringScan): boolean {
  const mark = reader.text[scan.at] ?? "";
  const openers = FOREIGN_ENDS[mark];
  if (openers === undefined || position === "key" || position === "top" || scan.marks > 0) return false;
  if (!endsString(reader, scan.at + 1, position)) return false;
  const inner = reader.text.slice(reader.at + 1, scan.at);
  spend(reader.work, inner.length);
  if (inner.split("").some((char) => openers.includes(char))) return false;
  const rest = reader.text.slice(scan.at + 1, Math.min(reader.end, scan.at + 4096));
  const own = rest.split("").findIndex((char) => closers.includes(char));
  spend(reader.work, own === -1 ? rest.length : own);
  return own === -1 || !endsString(reader, scan.at + 2 + own, position);
}

/** `"a" "b"` for one value is ambiguous: joined text, a list, or a quotation. */
function isSecondString(reader: Reader, at: number): boolean {
  const next = blanksEnd(reader, at + 1);
  const mark = reader.text[at] ?? "";
  if (next === at + 1 || reader.text[next] !== mark || isBlank(reader.text[at - 1] ?? "")) return false;
  const close = reader.text.slice(next + 1, Math.min(reader.end, next + 4096)).indexOf(mark);
  spend(reader.work, Math.max(0, close) + 1);
  return close > 0 && endsString(reader, next + close + 2, "member");
}

/** A first quote that was taken as text, directly before a word. */
const DOUBLED_START = /^["'][^\s"']/;

function finish(reader: Reader, scan: Scan, next: number): string {
  spend(reader.work, scan.at - reader.at + 1);
  reader.at = next;
  const text = scan.pieces.join("");
  if (reader.text.slice(next - text.length - 1, next).includes("\n") && text.includes("\n"))
    noteBreaks(reader, text);
  if (scan.marks % 2 === 1 && DOUBLED_START.test(text)) {
    if (scan.marks > 1 || reader.turns.get(scan.at) === "end") throw ReadRefusal.of("ambiguous");
    noteStep(reader, "stray_quote", 2);
    return text.slice(1);
  }
  if (scan.marks % 2 === 1 && (LONE_QUOTE.test(text.slice(0, -1)) || ENDED_BEFORE.test(text)))
    throw ReadRefusal.of("ambiguous");
  if (scan.marks > 0) noteMarks(reader, text, scan.depth === 0);
  return text;
}

function noteBreaks(reader: Reader, text: string): void {
  noteStep(reader, "raw_newline", 1);
  if (text.split("\n").every((line, at) => at === 0 || /^(?:[ \t]{2,}\S.*|[ \t]*)$/.test(line)))
    noteStep(reader, "lines_indented", 1);
  noteTakenOut(reader, text);
}

/** In `"answer is {"k": "v"}, so"` the quote after v ends an inner string: brackets inside are still open. */
function isInnerEnd(
  reader: Reader,
  { scan, after, position }: { scan: Scan; after: number; position: Position },
): boolean {
  if (scan.marks === 0 || scan.depth <= 0 || position === "key") return false;
  const next = reader.text[blanksEnd(reader, after)] ?? "";
  return next === "}" || next === "]" || next === "," || next === ":";
}

/** `"text"",`: a stray quote, unless an inner quotation is open. */
function isStrayPair(reader: Reader, at: number, position: Position): boolean {
  return (
    reader.text[at + 1] === reader.text[at] && at + 1 < reader.end && endsString(reader, at + 2, position)
  );
}

/** Moves to the next string of JavaScript's `"a" + "b"`; returns true when there is one. */
function movesToNext(reader: Reader): boolean {
  const plus = blanksEnd(reader, reader.at);
  if (reader.text[plus] !== "+" || plus >= reader.end) return false;
  const next = blanksEnd(reader, plus + 1);
  if (next >= reader.end || !opensString(reader.text[next] ?? "")) return false;
  noteStep(reader, "string_concatenation", 1);
  reader.at = next;
  return true;
}
