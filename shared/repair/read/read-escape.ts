import { noteCut, spend, noteStep } from "./reader.ts";
import type { Reader } from "./reader.ts";

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
  if ((char === "b" || char === "f") && /\w/.test(reader.text[at + 2] ?? "")) {
    // `\bID` and `\frac` mean no backspace or form feed.
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
