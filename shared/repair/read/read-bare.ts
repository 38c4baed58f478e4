import { WORK } from "../bounds.ts";
import { plainDigits } from "../align/decimal.ts";
import { blanksEnd, keyEnd, opensString, valueStarts } from "./lookahead.ts";
import { readMembers } from "./read-object.ts";
import { readString } from "./read-string.ts";
import { isBlank, noteCut, noteLeftOut, noteStep, peek, ReadRefusal, skipBlanks, spend } from "./reader.ts";
import type { Position, Reader } from "./reader.ts";
import { JSON_NUMBER, literalOf } from "./tree.ts";
import type { Tree } from "./tree.ts";

/** The beginning of a number, or a number with a mark too many. */
const HALF_NUMBER =
  /^(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)[eE][-+]*|[-+]{2,}\d[\d.]*|[-+.]+|[-+]?0[xXbBoO]|[-+]?[eE]-?\d+|\d+[eE][-+]{2}\d+|\d+\.\d+\.)$/;

/** A value has a letter, a digit or a picture; marks alone are none. */
const SAYS_SOMETHING = /[\p{L}\p{N}\p{Extended_Pictographic}]/u;

const STRICT_LITERALS: readonly string[] = ["true", "false", "null"];

/** Reads an unquoted value: a literal, a number, a call such as `ObjectId("…")`, or plain words. */
export function readBare(reader: Reader, position: Position): Tree {
  spend(reader.work, WORK.oddValue);
  const word = wordAt(reader);
  const after = reader.text[reader.at + word.length] ?? "";
  if (/^[rbuf]{1,2}$/i.test(word) && /^["'](?!\s*(?:[}\],:]|$))/.test(textAfter(reader, word))) {
    noteStep(reader, "string_prefix", 1);
    reader.at += word.length;
    return { kind: "string", text: readString(reader, position), bare: false };
  }
  if (after === "(" && (reader.open.length === 0 || CALL.test(textAfter(reader, word))))
    return readCall(reader, word);
  const start = reader.at;
  const text = wordBeforeNext(reader, position) ?? bareText(reader, position);
  if (text === "") throw ReadRefusal.of("no_json");
  return classify(reader, text, start);
}

/** A call that stands for its argument; `f(a, b)` and `g(x)` are words. */
const CALL = /^\(\s*(?:["'[{]|-?\d+(?:\.\d+)?\s*\)|[A-Za-z_]\w{0,60}\s*=(?!=))/;

const NAMED_ARGUMENTS = /^\s*[A-Za-z_]\w{0,60}\s*=(?!=)/;

function textAfter(reader: Reader, word: string): string {
  const from = reader.at + word.length;
  return reader.text.slice(from, Math.min(reader.end, from + 40));
}

function wordAt(reader: Reader): string {
  const rest = reader.text.slice(reader.at, Math.min(reader.end, reader.at + 64));
  return /^(?:new )?[A-Za-z_$][\w$.]*/.exec(rest)?.[0] ?? "";
}

function classify(reader: Reader, text: string, start: number): Tree {
  const known = literalOf(text);
  if (known !== undefined) {
    if (known.written !== undefined) noteStep(reader, "odd_literal", 1);
    return known;
  }
  const touchesEnd = start + text.length >= reader.end && reader.open.length > (reader.braceless ? 1 : 0);
  const literal = touchesEnd ? STRICT_LITERALS.find((one) => one.startsWith(text)) : undefined;
  if (literal !== undefined) {
    // Only one literal begins like this, so completing it invents nothing.
    noteCut(reader, "cut_word");
    return { kind: "literal", value: literal === "null" ? null : literal === "true" };
  }
  if (touchesEnd) noteCut(reader, /^[-+.\d]/.test(text) ? "cut_number" : "cut_word");
  if (HALF_NUMBER.test(text)) throw ReadRefusal.of("mismatch");
  if (!SAYS_SOMETHING.test(text)) throw ReadRefusal.of("no_json");
  const number = asNumber(text);
  if (number === undefined) {
    // Its closing brace, or the next member's value, may be what ended it.
    if (NUMBER_AND_WORD.test(text) || HOLDS_MEMBER.test(text) || hasLoneQuotes(text))
      throw ReadRefusal.of("ambiguous");
    noteStep(reader, "unquoted_text", 2);
    return { kind: "string", text, bare: true };
  }
  const isOdd = !JSON_NUMBER.test(text);
  if (isOdd) noteStep(reader, "odd_number", 1);
  // With a schema, digits that lose precision stay text: a text property accepts them, a number never does.
  if (reader.cut === "refuse" && losesDigits(number)) return { kind: "string", text: number, bare: true };
  return { kind: "number", raw: number, ...(isOdd && { written: text }) };
}

/** `1, b`: a number, and a name without a value. */
const NUMBER_AND_WORD = /^[-+]?\d+(?:\.\d+)?\s*,\s*[\p{L}_]/u;

/** `red "size": 2`, `size": 2`, `- "red"` and `true, false`: the text took in a mark or a member, or lacks its own. */
const HOLDS_MEMBER =
  /^[-:=>~]{1,3}\s{0,9}["']|(?:"[^"\n]{1,60}|^[\p{L}\p{N}_ -]{1,60})"\s{0,9}:|^(?:(?:true|false|null)\s{0,9},?\s{0,9}){2}/u;

/** Returns true for three quotes or more that are no pairs, or two at the end: those around it are missing. */
function hasLoneQuotes(text: string): boolean {
  if (text.endsWith('""')) return true;
  const quotes = text.split('"').length - 1;
  return quotes > 2 && quotes % 2 === 1;
}

function losesDigits(number: string): boolean {
  if (!/^-?\d{16,}$/.test(number)) return false;
  return number.length > 300 || BigInt(number) !== BigInt(Number(number));
}

/** The JSON form of a number in another notation; undefined for text and identifiers (007). */
function asNumber(written: string): string | undefined {
  const text = plainDigits(written);
  if (JSON_NUMBER.test(text)) return text;
  if (/^0[xX][0-9a-fA-F]{1,13}$/.test(text)) return String(Number.parseInt(text, 16));
  if (!/\d/.test(text)) return undefined;
  const plain = /^[+-]?[\d_.]+(?:[eE][+-]?\d+)?[nLlf]?$/.test(text)
    ? text.replaceAll(/(?<=\d)_(?=\d)|[nLlf]$|^\+/g, "")
    : "";
  const padded = plain.replace(/^(-?)\./, "$10.").replace(/\.(?=$|e)/i, "");
  return JSON_NUMBER.test(padded) ? padded : undefined;
}

const WORD = /^(?:-?\d[\d.eE+-]*|true|false|null|True|False|None)(?=[ \t]+\S|["'])/;

/** Reads `1 "b": 2`, `1"b": 2` and `[1 2 3]`: a number or literal before a name or value is complete. */
function wordBeforeNext(reader: Reader, position: Position): string | undefined {
  const word = WORD.exec(reader.text.slice(reader.at, Math.min(reader.end, reader.at + 64)))?.[0];
  if (word === undefined) return undefined;
  const next = blanksEnd(reader, reader.at + word.length);
  const follows =
    position === "member"
      ? opensString(reader.text[next] ?? "") && keyEnd(reader, next) !== -1
      : next === reader.at + word.length
        ? WHOLE_STRING.test(reader.text.slice(next, Math.min(reader.end, next + LIST_CHARS_MAX)))
        : valueOrNumber(reader, next);
  if (!follows) return undefined;
  reader.at += word.length;
  return word;
}

/** An item in double quotes; `27" wide` is no such. */
const WHOLE_STRING = /^"[^\s"\\][^"\\\n]*"\s*[,\]]/;

function valueOrNumber(reader: Reader, at: number): boolean {
  return (
    valueStarts(reader, at) || /^-?\d[\d.]*[ \t]/.test(reader.text.slice(at, Math.min(reader.end, at + 32)))
  );
}

/** Reads words up to the comma, closer or line end that ends the value. */
function bareText(reader: Reader, position: Position): string {
  const from = reader.at;
  let at = from;
  while (at < reader.end && !endsBare(reader, { from, at, position })) at = bracketsEnd(reader, at);
  spend(reader.work, at - from + 1);
  let text = reader.text.slice(from, at).trim();
  if (FOREIGN.test(text)) throw ReadRefusal.of("no_json");
  noteLeftOut(reader, text);
  reader.at = at;
  if (text.length > 1 && opensString(text.at(-1) ?? "") && !opensString(text[0] ?? "")) {
    const mark = text.at(-1) ?? "";
    if (text.indexOf(mark) === text.length - 1) {
      // In `[x?a=1,2"` the comma may be the text's own.
      if (BARE_BEFORE.test(reader.text.slice(Math.max(0, from - 40), from)))
        throw ReadRefusal.of("ambiguous");
      noteStep(reader, "missing_start_quote", 2);
      text = text.slice(0, -1);
    }
  }
  return text;
}

const BARE_BEFORE = /[^\s"'”’\]})],\s{0,20}$/;

/** Index after brackets directly behind a word, as in `f(p: n, q: m)` and `rows[0]`; else the next index. */
function bracketsEnd(reader: Reader, at: number): number {
  const char = reader.text[at];
  if ((char !== "(" && char !== "[") || !/[\w$]/.test(reader.text[at - 1] ?? "")) return at + 1;
  const rest = reader.text.slice(at, Math.min(reader.end, at + BRACKETS_CHARS_MAX));
  spend(reader.work, rest.length);
  const inner = (char === "(" ? IN_PARENTHESES : IN_SQUARE).exec(rest)?.[0];
  return at + Math.max(1, inner?.length ?? 0);
}

/** Marks of escaped JSON, HTML, other notations and numbered lines: `\"Ann\"`, `%{"name" => "Ann"`, `2 | "Ann"`. */
const FOREIGN =
  /\\"|[{[]\s{0,9}["']|["']\s{0,9}(?:=>|->)|^\d{1,6}\s{0,3}[:|]\s{1,40}["']|<br\b|&(?:nbsp|quot)\b/;

const BRACKETS_CHARS_MAX = 200;
const IN_PARENTHESES = /^\((?:[^()\n{}"]|\([^()\n{}"]*\))*\)/;
const IN_SQUARE = /^\[[^[\]\n{}"]*\]/;

function endsBare(
  reader: Reader,
  { from, at, position }: { from: number; at: number; position: Position },
): boolean {
  const char = reader.text[at] ?? "";
  if (char === ")") return reader.open.at(-1) === ")" || WHOLE.test(reader.text.slice(from, at));
  if ("\n}]".includes(char)) return true;
  if (char === ";") return semicolonEnds(reader, at, position);
  const isRemark = char === "#" || (char === "/" && /[/*]/.test(reader.text[at + 1] ?? ""));
  if (isRemark) return isBlank(reader.text[at - 1] ?? "") || WHOLE.test(reader.text.slice(from, at));
  if (char !== ",") return false;
  if (position !== "member") return true;
  const next = blanksEnd(reader, at + 1);
  return (
    next >= reader.end ||
    reader.text.startsWith("...", next) ||
    "{[}],/#…".includes(reader.text[next] ?? "") ||
    keyEnd(reader, next) !== -1 ||
    opensString(reader.text[next] ?? "")
  );
}

/** Returns true when a semicolon ends the value. Beside commas it is text; in `[mix all; stir]` nothing tells. */
function semicolonEnds(reader: Reader, at: number, position: Position): boolean {
  const next = blanksEnd(reader, at + 1);
  const char = next < reader.end ? (reader.text[next] ?? "") : "";
  if (char === "" || reader.open.length === 0 || reader.separator === ";") return true;
  if ("}])".includes(char)) return reader.separator === undefined;
  if (position === "member")
    return keyEnd(reader, next) !== -1 || NAME_OF_WORDS.test(reader.text.slice(next, next + 80));
  if (valueStarts(reader, next)) return true;
  if (reader.separator === ",") return false;
  const items = reader.text.slice(reader.at, Math.min(reader.end, reader.at + LIST_CHARS_MAX));
  spend(reader.work, items.length);
  const list = /^[^[\]{}()]*(?=\])/.exec(items)?.[0] ?? items;
  if (list.includes(",")) return false;
  if (/\S[ \t]+\S/.test(list.replaceAll(/;\s*/g, ";"))) throw ReadRefusal.of("ambiguous");
  return true;
}

const NAME_OF_WORDS = /^[^;,\n{}]{1,60}[:=]/;
const LIST_CHARS_MAX = 2000;

/** A number or literal, which a comment or a wrong bracket may follow directly. */
const WHOLE = /^(?:[-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?|[Tt]rue|[Ff]alse|[Nn]ull|None)\s*$/;

/** Reads `ObjectId("5f")`, `ISODate("…")`, `callback({…})` as their argument. */
function readCall(reader: Reader, word: string): Tree {
  reader.at += word.length + 1;
  reader.open.push(")");
  // Python's `Point(x=1, y=2)`.
  if (NAMED_ARGUMENTS.test(reader.text.slice(reader.at, reader.at + 80))) {
    noteStep(reader, "call", 1);
    const tree: Tree = { kind: "object", entries: readMembers(reader) };
    reader.open.pop();
    return tree;
  }
  const value = reader.readValue(reader, "item");
  skipBlanks(reader);
  if (peek(reader) !== ")") throw ReadRefusal.of("no_json");
  reader.at += 1;
  reader.open.pop();
  noteStep(reader, "call", 1);
  return value;
}
