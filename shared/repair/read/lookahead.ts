import { WORK } from "../bounds.ts";
import { isBlank, isBlankCode, spend } from "./reader.ts";
import type { Position, Reader } from "./reader.ts";

/** Maximum lookahead, in characters. Longer names are not recognised without quotes. */
const LOOK_CHARS_MAX = 160;

export function blanksEnd(reader: Reader, from: number): number {
  let at = from;
  while (at < reader.end && isBlankCode(reader.text.charCodeAt(at))) at += 1;
  spend(reader.work, at - from + 1);
  return at;
}

/** Returns the index after `"name":` (or `name:`, `"name" =`, `"name" =>`) at `from`, else -1. */
export function keyEnd(reader: Reader, from: number): number {
  const opener = reader.text[from] ?? "";
  if (from >= reader.end) return -1;
  const stop = Math.min(reader.end, from + LOOK_CHARS_MAX);
  spend(reader.work, WORK.look);
  let at = from;
  if (opensString(opener)) {
    const closers = closersOf(opener);
    at += 1;
    // `""name":` and `"name"":`: a quote too many. `""name"":` is doubled throughout, as in CSV.
    const isDoubled = reader.text[at] === opener && isOfName(reader.text.charCodeAt(at + 1));
    if (isDoubled) at += 1;
    let hasColon = false;
    while (at < stop && !closers.includes(reader.text[at] ?? "")) {
      if (reader.text[at] === "\n") return -1;
      hasColon ||= reader.text[at] === ":";
      at += 1;
    }
    at += 1;
    if (!isDoubled && reader.text[at] === opener && reader.text[blanksEnd(reader, at + 1)] === ":") at += 1;
    // `"city:": "Oslo"` is a name, `"city: "Oslo"` is none.
    if (hasColon && reader.text[blanksEnd(reader, at)] !== ":") return -1;
  } else {
    // Ruby's `:name`.
    const start = opener === ":" ? from + 1 : from;
    at = start;
    while (at < stop && isOfName(reader.text.charCodeAt(at))) at += 1;
    if (at === start) return -1;
    if (opensString(reader.text[at] ?? "")) at += 1;
  }
  spend(reader.work, at - from);
  at = blanksEnd(reader, at);
  if (at >= reader.end) return -1;
  if (reader.text.startsWith("=>", at)) return at + 2;
  if (reader.text[at] === "=" && reader.text[at + 1] !== "=") {
    const isName = reader.open.at(-1) === ")" || isPlainName(reader.text.slice(from, at));
    if (isName) return at + 1;
  }
  if (reader.text[at] !== ":") return -1;
  return reader.text.startsWith("://", at) ? -1 : at + 1;
}

const PLAIN_NAME = Array.from({ length: 128 }, (_, code) =>
  /[\p{L}\p{N}_$.-]/u.test(String.fromCharCode(code)),
);

/** Returns true for a UTF-16 unit that may be part of an unquoted name. */
function isOfName(code: number): boolean {
  return PLAIN_NAME[code] ?? /[\p{L}\p{N}]/u.test(String.fromCharCode(code));
}

/** Before an equals sign only a plain quoted name counts: `<a href="x" id="y">` has no names. */
function isPlainName(quoted: string): boolean {
  return /^(["'])[\w -]+\1\s*$/.test(quoted);
}

/** Returns true when an unmistakable value (string, container, number, literal) starts at `from`. */
export function valueStarts(reader: Reader, from: number): boolean {
  const char = from < reader.end ? (reader.text[from] ?? "") : "";
  if (opensString(char) || char === "{" || char === "[") return true;
  const word = reader.text.slice(from, Math.min(reader.end, from + 24));
  return /^(?:-?\d[\d.eE+-]*|[Tt]rue|[Ff]alse|null|None)\s*(?:[,\]}\n]|$)/.test(word);
}

/** `# …` to the end of its line, before a comma, a closing bracket or a name. */
const REMARK_BEFORE_NEXT = /^#[^\n]*\n\s*(?:[,}\]]|"[^"\n]*"\s*:)/;

/** Returns true when a quote just before `from` ends its string, judged by what follows. */
export function endsString(reader: Reader, from: number, position: Position): boolean {
  spend(reader.work, WORK.look);
  const at = blanksEnd(reader, from);
  if (at >= reader.end) return true;
  const char = reader.text[at] ?? "";
  if (reader.text.startsWith("//", at) || reader.text.startsWith("/*", at)) return true;
  if (char === "#" && REMARK_BEFORE_NEXT.test(reader.text.slice(at, at + LOOK_CHARS_MAX))) return true;
  if (char === "+" && opensString(reader.text[blanksEnd(reader, at + 1)] ?? "")) return true;
  if (position === "top")
    return opensString(char) || "{[,".includes(char) || reader.text.slice(from, at).includes("\n");
  if (position === "key") return char === ":" || char === "=";
  if (char === "}" || char === "]") return reader.open.length > 0;
  if (char === ")") return reader.open.includes(")");
  const newline = reader.text.slice(from, at).includes("\n");
  if (char === "," || char === ";") return fitsAfterComma(reader, blanksEnd(reader, at + 1), position);
  if (position === "member") return keyEnd(reader, at) !== -1 && (newline || opensString(char));
  if (at > from && opensString(char)) return !isBlank(reader.text[at + 1] ?? " ");
  return newline && valueStarts(reader, at);
}

/** `"name" "value"` lacks a colon, `"name"}` a value. Only plain names: else every quotation would match. */
const NAME_WITHOUT_COLON = /^(["'])[\w-]+\1(?:[ \t]+(?:["'[{\d-]|true|false|null)|\s*\})/;

/** `red,` or `http://x.org",`: an item without quotes, or without its first one. */
const BARE_ITEM = /^(?:[\w$-]+\s*[,\]\n]|\w[^\s"'[\]{},]*"\s*[,\]])/;

function fitsAfterComma(reader: Reader, at: number, position: Position): boolean {
  if (at >= reader.end) return true;
  const char = reader.text[at] ?? "";
  if (",}])".includes(char) || reader.text.startsWith("//", at) || reader.text.startsWith("/*", at))
    return true;
  if (char === "#" || reader.text.startsWith("...", at)) return true;
  if (position === "member")
    return keyEnd(reader, at) !== -1 || NAME_WITHOUT_COLON.test(reader.text.slice(at, at + LOOK_CHARS_MAX));
  return valueStarts(reader, at) || BARE_ITEM.test(reader.text.slice(at, at + LOOK_CHARS_MAX));
}

/** Closing quotation marks by opening mark. */
const CLOSERS: Readonly<Record<string, string>> = {
  '"': '"“”',
  "'": "'‘’",
  "`": "`´'",
  "´": "´`'",
  "“": '”“"',
  "”": '”“"',
  "„": '“”"',
  "«": "»",
  "‘": "’‘'",
  "’": "’‘'",
};

export function opensString(char: string): boolean {
  // Fast path: called for nearly every character.
  if (char <= "~") return char === '"' || char === "'" || char === "`";
  return Object.hasOwn(CLOSERS, char);
}

/** Returns the marks that close a string. A plain double quote is closed by a plain one only. */
export function closersOf(opener: string): string {
  return opener === '"' || opener === "'" ? opener : (CLOSERS[opener] ?? opener);
}
