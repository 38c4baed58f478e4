import { blanksEnd, keyEnd, valueStarts } from "./lookahead.ts";
import { opensString } from "./quotes.ts";
import { readString } from "./read-string.ts";
import { foundCut, isBlank, peek, ReadRefusal, skipBlanks, spend, took } from "./reader.ts";
import type { Place, Reader } from "./reader.ts";
import { JSON_NUMBER } from "./tree.ts";
import type { Tree } from "./tree.ts";

const LITERALS: Readonly<Record<string, boolean | null>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  TRUE: true,
  FALSE: false,
  NULL: null,
  undefined: null,
  nil: null,
};

/** What telling an odd value apart takes, in steps. */
const ODD_WORK = 40;

const STRICT_LITERALS: readonly string[] = ["true", "false", "null"];

/**
 * Reads a value without quotation marks: a literal, a number, a call such as `ObjectId("…")`, or plain
 * words.
 */
export function readBare(reader: Reader, place: Place): Tree {
  const plain = readPlain(reader, place);
  if (plain !== undefined) return plain;
  spend(reader.work, ODD_WORK);
  const word = wordAt(reader);
  const after = reader.text[reader.at + word.length] ?? "";
  if (/^[rbuf]{1,2}$/i.test(word) && /^["'](?!\s*(?:[}\],:]|$))/.test(textAfter(reader, word))) {
    took(reader, "string_prefix", 1);
    reader.at += word.length;
    return { kind: "string", text: readString(reader, place), bare: false };
  }
  if (after === "(" && /^(?:new )?[A-Za-z_$][\w$.]*$/.test(word)) return readCall(reader, word);
  const start = reader.at;
  const text = wordBeforeNext(reader, place) ?? bareText(reader, place);
  if (text === "") throw ReadRefusal.of("no_json");
  return classify(reader, text, start);
}

const PLAIN = /(?:-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?|true|false|null)(?=[,\]}\n])/y;

/** A number or literal as JSON writes it, ended by a mark: what most bare values are. Undefined, unmoved, of others. */
function readPlain(reader: Reader, place: Place): Tree | undefined {
  PLAIN.lastIndex = reader.at;
  const raw = PLAIN.exec(reader.text)?.[0];
  if (raw === undefined) return undefined;
  const at = reader.at + raw.length;
  if (at >= reader.end || !endsBare(reader, at, place)) return undefined;
  spend(reader.work, raw.length + 1);
  reader.at = at;
  return Object.hasOwn(LITERALS, raw)
    ? { kind: "literal", value: LITERALS[raw] ?? null }
    : { kind: "number", raw };
}

function textAfter(reader: Reader, word: string): string {
  const from = reader.at + word.length;
  return reader.text.slice(from, Math.min(reader.end, from + 40));
}

function wordAt(reader: Reader): string {
  const rest = reader.text.slice(reader.at, Math.min(reader.end, reader.at + 64));
  return /^(?:new )?[A-Za-z_$][\w$.]*/.exec(rest)?.[0] ?? "";
}

function classify(reader: Reader, text: string, start: number): Tree {
  if (Object.hasOwn(LITERALS, text)) {
    if (!STRICT_LITERALS.includes(text)) took(reader, "odd_literal", 1);
    return { kind: "literal", value: LITERALS[text] ?? null };
  }
  const touchesEnd = start + text.length >= reader.end && reader.open.length > (reader.braceless ? 1 : 0);
  const literal = touchesEnd ? STRICT_LITERALS.find((one) => one.startsWith(text)) : undefined;
  if (literal !== undefined) {
    // Only one literal begins like this, so that nothing is made up where what is there may be kept.
    foundCut(reader, "cut_word");
    return { kind: "literal", value: LITERALS[literal] ?? null };
  }
  if (touchesEnd) foundCut(reader, /^[-+.\d]/.test(text) ? "cut_number" : "cut_word");
  const number = asNumber(text);
  if (number === undefined) {
    took(reader, "unquoted_text", 2);
    return { kind: "string", text, bare: true };
  }
  if (!JSON_NUMBER.test(text)) took(reader, "odd_number", 1);
  // Under a contract digits that no number can hold stay text, which the contract may take and a number never does.
  if (reader.cut === "refuse" && losesDigits(number)) return { kind: "string", text: number, bare: true };
  return { kind: "number", raw: number };
}

function losesDigits(number: string): boolean {
  if (!/^-?\d{16,}$/.test(number)) return false;
  return number.length > 300 || BigInt(number) !== BigInt(Number(number));
}

/**
 * The JSON form of a number written as other languages do; undefined where the text is no number or an
 * identifier (007).
 */
function asNumber(text: string): string | undefined {
  if (JSON_NUMBER.test(text)) return text;
  if (/^0[xX][0-9a-fA-F]{1,13}$/.test(text)) return String(Number.parseInt(text, 16));
  if (!/\d/.test(text)) return undefined;
  const plain = /^[+-]?[\d_.]+(?:[eE][+-]?\d+)?[nLlf]?$/.test(text)
    ? text.replaceAll(/(?<=\d)_(?=\d)|[nLlf]$|^\+/g, "")
    : "";
  const padded = plain.replace(/^(-?)\./, "$10.").replace(/\.(?=$|e)/i, "");
  return JSON_NUMBER.test(padded) ? padded : undefined;
}

const WORD = /^(?:-?\d[\d.eE+-]*|true|false|null|True|False|None)(?=[ \t]+\S)/;

/**
 * `1 "b": 2` and `[1 2 3]`: a number or literal is complete before a blank when a name or value follows; the
 * comma is missing.
 */
function wordBeforeNext(reader: Reader, place: Place): string | undefined {
  const word = WORD.exec(reader.text.slice(reader.at, Math.min(reader.end, reader.at + 64)))?.[0];
  if (word === undefined) return undefined;
  const next = blanksEnd(reader, reader.at + word.length);
  const follows =
    place === "member"
      ? opensString(reader.text[next] ?? "") && keyEnd(reader, next) !== -1
      : valueOrNumber(reader, next);
  if (!follows) return undefined;
  reader.at += word.length;
  return word;
}

function valueOrNumber(reader: Reader, at: number): boolean {
  return (
    valueStarts(reader, at) || /^-?\d[\d.]*[ \t]/.test(reader.text.slice(at, Math.min(reader.end, at + 32)))
  );
}

/** Words up to the comma, closer or line end that ends the value at this place. */
function bareText(reader: Reader, place: Place): string {
  const from = reader.at;
  let at = from;
  while (at < reader.end && !endsBare(reader, at, place)) at += 1;
  spend(reader.work, at - from + 1);
  let text = reader.text.slice(from, at).trim();
  reader.at = at;
  if (text.length > 1 && opensString(text.at(-1) ?? "") && !opensString(text[0] ?? "")) {
    const mark = text.at(-1) ?? "";
    if (text.indexOf(mark) === text.length - 1) {
      took(reader, "missing_start_quote", 2);
      text = text.slice(0, -1);
    }
  }
  return text;
}

function endsBare(reader: Reader, at: number, place: Place): boolean {
  const char = reader.text[at] ?? "";
  if (char === ")") return reader.open.at(-1) === ")";
  if ("\n}];".includes(char)) return true;
  if (char === "/" && /\s/.test(reader.text[at - 1] ?? "") && /[/*]/.test(reader.text[at + 1] ?? ""))
    return true;
  if (char === "#" && isBlank(reader.text[at - 1] ?? "")) return true;
  if (char !== ",") return false;
  if (place !== "member") return true;
  const next = blanksEnd(reader, at + 1);
  return (
    next >= reader.end ||
    reader.text.startsWith("...", next) ||
    "}],/#…".includes(reader.text[next] ?? "") ||
    keyEnd(reader, next) !== -1 ||
    opensString(reader.text[next] ?? "")
  );
}

/** `ObjectId("5f")`, `ISODate("…")`, `callback({…})`: the one argument is the value. */
function readCall(reader: Reader, word: string): Tree {
  reader.at += word.length + 1;
  reader.open.push(")");
  const value = reader.readValue(reader, "item");
  skipBlanks(reader);
  if (peek(reader) !== ")") throw ReadRefusal.of("no_json");
  reader.at += 1;
  reader.open.pop();
  took(reader, "call", 1);
  return value;
}
