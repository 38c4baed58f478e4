import { noteCut, spend, noteStep } from "./reader.ts";
import type { Reader } from "./reader.ts";

/** Characters by the one that stands for them behind a backslash, in JSON and its relatives. */
const SIMPLE: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  "`": "`",
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Cost of an escape besides its characters, in steps. */
const ESCAPE_WORK = 16;

/**
 * Reads the escape at `at` (a backslash). An unknown escape keeps its backslash, because it is usually part of a
 * regular expression or a Windows path.
 * @returns The text and the index after it.
 */
export function readEscape(reader: Reader, at: number): { text: string; next: number } {
  spend(reader.work, ESCAPE_WORK);
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
  if (Object.hasOwn(SIMPLE, char)) {
    if (char === "'" || char === "`") noteStep(reader, "odd_escape", 1);
    return { text: SIMPLE[char] ?? "", next: at + 2 };
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
