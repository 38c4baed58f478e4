import { WORK } from "../bounds.ts";
import { blanksEnd, keyEnd, opensString, valueStarts } from "./lookahead.ts";
import { readString } from "./read-string.ts";
import {
  isBlank,
  noteCut,
  noteDoubt,
  noteStep,
  noteTakenOut,
  peek,
  ReadRefusal,
  skipBlanks,
  spend,
} from "./reader.ts";
import type { Reader } from "./reader.ts";
import type { Entry, Tree } from "./tree.ts";

/** Reads an object at its brace. */
export function readObject(reader: Reader): Tree {
  const { separator } = reader;
  reader.at += 1;
  reader.open.push("}");
  reader.separator = undefined;
  const tree: Tree = { kind: "object", entries: readMembers(reader) };
  reader.open.pop();
  reader.separator = separator;
  return tree;
}

/** Number of members above which adding one has a cost. */
const SMALL_ENTRIES_MAX = 64;

/** Reads members including the closing brace; also the rest of an object that was closed too early. */
export function readMembers(reader: Reader): Entry[] {
  const entries: Entry[] = [];
  for (;;) {
    const separators = skipSeparators(reader);
    if (entries.length === 0 && (separators > 1 || (separators === 1 && reader.separator === ";")))
      throw ReadRefusal.of("no_json");
    if ((entries.length > 0 && startsInside(reader)) || closes(reader, entries.length > 0 && separators > 0))
      return entries;
    if (entries.length > 0 && separators === 0) noteStep(reader, "missing_comma", 1);
    if (separators > 1 || (entries.length === 0 && separators > 0)) noteStep(reader, "extra_comma", 1);
    const entry = readMember(reader);
    if (entry === undefined) return entries;
    if (entries.length > SMALL_ENTRIES_MAX) spend(reader.work, WORK.lateMember);
    entries.push(entry);
  }
}

/** Returns true at `{"sku": "A", {"sku": "B"}` in a list: the next row begins, so this one is unclosed. */
function startsInside(reader: Reader): boolean {
  if (peek(reader) !== "{" || reader.open.at(-2) !== "]") return false;
  noteStep(reader, "missing_closer", 2);
  return true;
}

/** Skips blanks, commas, semicolons and ellipses; returns the number of separators. */
export function skipSeparators(reader: Reader): number {
  let count = 0;
  for (;;) {
    skipBlanks(reader);
    const char = peek(reader);
    if (char === "," || char === ";") {
      if (char === ";") noteStep(reader, "semicolon", 1);
      reader.separator = char;
      reader.at += 1;
      count += 1;
    } else if (reader.text.startsWith("...", reader.at) || peek(reader) === "…") {
      noteCut(reader, "ellipsis");
      reader.at += peek(reader) === "…" ? 1 : 3;
    } else return count;
    spend(reader.work, WORK.separator);
  }
}

/** Returns true when the container ends here, and consumes its closer. Leaves the closer of an outer container. */
export function closes(reader: Reader, afterComma: boolean): boolean {
  if (reader.at >= reader.end) {
    if (afterComma) noteCut(reader, "cut_after_comma");
    if (isEmptySoFar(reader)) noteCut(reader, "cut_after_opener");
    if (!reader.braceless || reader.open.length > 1) noteStep(reader, "missing_closer", 1);
    return true;
  }
  const char = peek(reader);
  if (char !== "}" && char !== "]" && char !== ")") return false;
  if (afterComma) noteStep(reader, "trailing_comma", 1);
  const own = reader.open.at(-1);
  if (char === own) reader.at += 1;
  else if (
    reader.open.slice(0, -1).some((closer) => closer === char) &&
    reader.turns.get(reader.at) !== "end"
  ) {
    // It closes an outer container, or this one by mistake.
    noteDoubt(reader, { at: reader.at, turn: "end" });
    noteStep(reader, "missing_closer", 2);
    reader.isTorn ||= followsComma(reader, reader.at + 1);
  } else {
    noteStep(reader, "wrong_closer", 2);
    reader.at += 1;
    reader.isTorn ||= followsComma(reader, reader.at);
  }
  return true;
}

function followsComma(reader: Reader, from: number): boolean {
  return reader.text[blanksEnd(reader, from)] === ",";
}

/** Returns true when the text ends directly after the opener: the missing content may not be empty. */
function isEmptySoFar(reader: Reader): boolean {
  reader.lastMark ??= lastMark(reader);
  return "{[(".includes(reader.lastMark);
}

/** Cached, because every open container asks. */
function lastMark(reader: Reader): string {
  let at = reader.end - 1;
  while (at > 0 && isBlank(reader.text[at] ?? "")) at -= 1;
  spend(reader.work, reader.end - at);
  return reader.text[at] ?? " ";
}

function readMember(reader: Reader): Entry | undefined {
  const key = readKey(reader);
  if (key === undefined) return undefined;
  skipBlanks(reader);
  readColon(reader);
  skipBlanks(reader);
  const char = peek(reader);
  if (char === "") {
    noteCut(reader, "cut_after_colon");
    return undefined;
  }
  if (",}]".includes(char)) {
    // A contract decides whether a member may lack its value.
    if (reader.cut === "refuse") throw ReadRefusal.of("missing");
    noteStep(reader, "missing_value", 4);
    return { key, value: { kind: "literal", value: null } };
  }
  return { key, value: reader.readValue(reader, "member") };
}

function readColon(reader: Reader): void {
  if (peek(reader) === ":") {
    reader.at += 1;
    if (peek(reader) !== ":") return;
    noteStep(reader, "odd_colon", 1);
    reader.at += 1;
  } else if (reader.text.startsWith("=>", reader.at) || reader.text.startsWith("->", reader.at)) {
    reader.at += 2;
    noteStep(reader, "odd_colon", 1);
  } else if (peek(reader) === "=") {
    reader.at += 1;
    noteStep(reader, "odd_colon", 1);
  } else if (/[\d{[-]/.test(peek(reader)) || valueStarts(reader, reader.at)) {
    // In `"qty"-5` the dash may be the colon.
    if (peek(reader) === "-" && !isBlank(peek(reader, -1))) throw ReadRefusal.of("ambiguous");
    noteStep(reader, "missing_colon", 3);
  } else if (reader.at >= reader.end) noteCut(reader, "cut_key");
  else throw ReadRefusal.of(",}".includes(peek(reader)) ? "missing" : "no_json");
}

/** Reads a name, quoted or bare. Undefined when the text ends inside it and truncation is allowed. */
function readKey(reader: Reader): string | undefined {
  if (opensString(peek(reader))) {
    const closedAt = keyEnd(reader, reader.at);
    const key = closedAt === -1 ? readQuotedKey(reader) : readString(reader, "key");
    if (blanksEnd(reader, reader.at) < reader.end) return key;
    noteCut(reader, "cut_key");
    return undefined;
  }
  if (isSymbol(reader)) {
    noteStep(reader, "symbol", 1);
    reader.at += 1;
    return readKey(reader);
  }
  const rest = reader.text.slice(reader.at, Math.min(reader.end, reader.at + 128));
  const bare = /^[^\s:,{}[\]"'`=()](?:(?!->)[^:,{}[\]"'`\n=()])*/u.exec(rest)?.[0];
  if (bare === undefined || !/[\p{L}\p{N}]|^[_$]+$/u.test(bare.trim())) throw ReadRefusal.of("no_json");
  // In `"x,"name":` the quote opened the name, or the comma belongs to the text.
  const isAfterText = reader.text.slice(Math.max(0, reader.at - 2), reader.at) === ',"';
  noteTakenOut(reader, bare);
  reader.at += bare.length;
  noteStep(reader, "unquoted_key", 1);
  if (/\s/.test(bare.trim())) noteStep(reader, "key_of_words", 3);
  if (opensString(peek(reader))) {
    if (isAfterText) throw ReadRefusal.of("ambiguous");
    noteStep(reader, "stray_quote", 1);
    reader.at += 1;
  }
  if (blanksEnd(reader, reader.at) < reader.end) return bare.trim();
  noteCut(reader, "cut_key");
  return undefined;
}

/** Ruby's `:name`. */
function isSymbol(reader: Reader): boolean {
  return peek(reader) === ":" && /[A-Za-z_"]/.test(peek(reader, 1));
}

/** Reads a quoted name without a colon: the colon or the closing quote is missing. */
function readQuotedKey(reader: Reader): string {
  const rest = reader.text.slice(reader.at, Math.min(reader.end, reader.at + 256));
  const [whole, name] = /^["'`“”‘’]([^"'`“”‘’:,\n]*)/.exec(rest) ?? ["", ""];
  const after = reader.at + whole.length;
  const char = after < reader.end ? (reader.text[after] ?? "") : "";
  if (char === ":") {
    if (reader.text.startsWith("://", after)) throw ReadRefusal.of("ambiguous");
    noteStep(reader, "missing_end_quote", 2);
    reader.at = after;
    return (name ?? "").trimEnd();
  }
  if (opensString(char)) {
    reader.at = after + 1;
    return name ?? "";
  }
  return readString(reader, "key");
}
