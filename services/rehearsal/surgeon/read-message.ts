import { parseTolerant } from "#shared/repair";

/** Maximum characters that are read. */
const CHARACTERS_MAX = 200_000;

/**
 * Reads the JSON in a message, however damaged, as a strong model would. Undefined for none.
 */
export function readMessage(message: string): unknown {
  const text = message.slice(0, CHARACTERS_MAX);
  const whole = parse(text);
  if (typeof whole === "string") return readMessage(whole);
  if (typeof whole === "object" && whole !== null) return whole;
  // The question quotes a message between lines with marks, which are no part of it.
  return parseTolerant(text.replaceAll(/^<<.*>>$/gm, "").trim())
    .map(({ value }) => value)
    .find((value) => typeof value === "object" && value !== null);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
