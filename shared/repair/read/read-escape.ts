import { foundCut, spend, took } from "./reader.ts";
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

/** What an escape takes besides its characters, in steps. */
const ESCAPE_WORK = 16;

/**
 * Reads the escape at `at` (a backslash). An escape that JSON does not know keeps its backslash: it is more
 * often a regular expression or a Windows path than a slip.
 *
 * @returns The text it stands for and the index after it.
 */
export function readEscape(reader: Reader, at: number): { text: string; next: number } {
  spend(reader.work, ESCAPE_WORK);
  const char = at + 1 < reader.end ? (reader.text[at + 1] ?? "") : "";
  if (char === "") {
    foundCut(reader, "cut_escape");
    return { text: "", next: at + 1 };
  }
  if ((char === "b" || char === "f") && /\w/.test(reader.text[at + 2] ?? "")) {
    // In \bID and \frac nobody means a backspace or a form feed.
    took(reader, "odd_escape", 1);
    return { text: `\\${char}`, next: at + 2 };
  }
  if (Object.hasOwn(SIMPLE, char)) {
    if (char === "'" || char === "`") took(reader, "odd_escape", 1);
    return { text: SIMPLE[char] ?? "", next: at + 2 };
  }
  if (char === "u" || char === "x") return readHexEscape(reader, at, char === "u" ? 4 : 2);
  took(reader, "odd_escape", 1);
  if (char === "\n") return { text: "", next: at + 2 };
  return { text: `\\${char}`, next: at + 2 };
}

function readHexEscape(reader: Reader, at: number, digits: number): { text: string; next: number } {
  const hex = reader.text.slice(at + 2, Math.min(reader.end, at + 2 + digits));
  if (hex.length < digits && /^[0-9a-fA-F]*$/.test(hex)) {
    foundCut(reader, "cut_escape");
    return { text: "", next: reader.end };
  }
  if (digits === 2 || !/^[0-9a-fA-F]{4}$/.test(hex)) took(reader, "odd_escape", 1);
  if (!/^[0-9a-fA-F]+$/.test(hex)) return { text: reader.text.slice(at, at + 2), next: at + 2 };
  return { text: String.fromCharCode(Number.parseInt(hex, 16)), next: at + 2 + digits };
}
