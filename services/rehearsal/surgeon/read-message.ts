import { jsonrepair } from "jsonrepair";

/** Maximum characters that are read. */
const CHARACTERS_MAX = 200_000;

/**
 * Reads the JSON in a message, however damaged, as a strong model would. Undefined for none. A message may be quoted,
 * so the outermost brackets count.
 */
export function readMessage(message: string): unknown {
  const text = message.slice(0, CHARACTERS_MAX);
  const whole = parse(text);
  if (typeof whole === "string") return readMessage(whole);
  if (typeof whole === "object" && whole !== null) return whole;
  const start = text.search(/[{[]/);
  if (start === -1) return undefined;
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  // Tries the outermost brackets, then up to the closing delimiter's line, then to the end.
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
