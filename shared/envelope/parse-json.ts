import { JsonBoundError, JsonSyntaxError } from "./errors.ts";
import { locateFault } from "./locate-fault.ts";
import { endOfString } from "./scan-json.ts";

/**
 * Parses JSON text of any size that comes from outside, and refuses a name that one object has twice: `JSON.parse`
 * would keep the last value, and whoever reads the text may see the first. Linear in the text. For text that travels
 * between agents use `parseBounded`.
 *
 * @throws {JsonSyntaxError} Not JSON.
 * @throws {JsonBoundError} `duplicate_key`, with the JSON pointer of the name.
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
 * Returns true when the text writes more names than its value has, so that at least one object has a name twice,
 * however it is escaped.
 *
 * @param value - What `JSON.parse` made of the text.
 */
export function repeatsName(text: string, value: unknown): boolean {
  return namesIn(text) > namesOf(value);
}

/** Outside of strings, a colon in JSON always stands behind a name. */
function namesIn(text: string): number {
  let names = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === ":") names += 1;
  }
  return names;
}

/** Walks without recursion: the value may be nested as deep as `JSON.parse` reads. */
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
