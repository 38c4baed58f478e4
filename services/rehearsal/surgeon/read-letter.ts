import { jsonrepair } from "jsonrepair";

/** Characters of a letter that are looked at. */
const CHARACTERS_MAX = 200_000;

/**
 * What a strong model would see in a letter: JSON, however spoiled and whatever stands around it. Undefined when there
 * is none. A letter may be quoted between delimiters, so the outermost brackets count.
 */
export function readLetter(letter: string): unknown {
  const text = letter.slice(0, CHARACTERS_MAX);
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  const candidates = [text, text.slice(start, end + 1), text.slice(start).replace(/\n[^\n]*$/, ""), text.slice(start)];
  for (const candidate of start === -1 ? [text] : candidates) {
    const read = parse(candidate) ?? (start === -1 ? undefined : parseRepaired(candidate));
    if (typeof read === "string" && read !== letter && /[{[]/.test(read)) return readLetter(read);
    if (read !== undefined && read !== null && typeof read === "object") return read;
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function parseRepaired(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}
