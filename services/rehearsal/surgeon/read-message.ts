import { jsonrepair } from "jsonrepair";

/** Characters of a message that are looked at. */
const CHARACTERS_MAX = 200_000;

/**
 * What a strong model would see in a message: JSON, however spoiled and whatever stands around it. Undefined when there
 * is none. A message may be quoted between delimiters, so the outermost brackets count.
 */
export function readMessage(message: string): unknown {
  const text = message.slice(0, CHARACTERS_MAX);
  const whole = parse(text);
  if (typeof whole === "string") return readMessage(whole);
  if (typeof whole === "object" && whole !== null) return whole;
  const start = text.search(/[{[]/);
  if (start === -1) return undefined;
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  // The outermost brackets; else up to the closing delimiter's line; else to the end.
  const candidates = [
    text.slice(start, end + 1),
    text.slice(start).replace(/\n[^\n]*$/, ""),
    text.slice(start),
  ];
  for (const candidate of candidates) {
    const read = parse(candidate) ?? parseRepaired(candidate);
    if (typeof read === "object" && read !== null) return read;
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
