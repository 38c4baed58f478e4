import { JsonBoundError, JsonSyntaxError } from "../errors.ts";
import { locateFault } from "./locate-fault.ts";
import { endOfString } from "./scan-json.ts";

/**
 * Parses external JSON text of any size, and refuses duplicate keys: `JSON.parse` would keep the last value, while
 * other readers may see the first. Linear in the text. Use `parseBounded` for text between agents.
 *
 * @throws {JsonSyntaxError} Not JSON.
 * @throws {JsonBoundError} `duplicate_key`, with its JSON pointer.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new JsonSyntaxError(cause);
  }
  if (!repeatsName(text, value)) return value;
  const problem = "An object has a key twice";
  throw new JsonBoundError({ bound: "duplicate_key", path: locateFault(text), problem });
}

/**
 * Returns true if the text has more keys than its value, which means a duplicate key, however escaped.
 *
 * @param value - Result of `JSON.parse` for the text.
 */
export function repeatsName(text: string, value: unknown): boolean {
  return namesIn(text) > namesOf(value);
}

/** Outside of strings, a colon in JSON always follows a key. */
function namesIn(text: string): number {
  let names = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === ":") names += 1;
  }
  return names;
}

/** Not recursive, because the value may be nested as deeply as `JSON.parse` reads. */
function namesOf(value: unknown): number {
  let names = 0;
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    const inner = Object.values(next);
    if (!Array.isArray(next)) names += inner.length;
    for (const one of inner) open.push(one);
  }
  return names;
}
