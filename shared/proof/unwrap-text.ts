import { parseTolerant } from "#shared/repair";
import type { JsonValue } from "#shared/schema";

/** A text with its value; undefined if it is not JSON, or has one name twice. */
export interface Original {
  readonly text: string;
  readonly value: JsonValue | undefined;
}

/** Returns the innermost JSON text of a text that may be encoded several times, for proofs and repairs. */
export function unwrapText(text: string): Original {
  return unwrap(text, parseClear);
}

/** As `unwrapText`, for a text that was already checked for names that occur twice. */
export function unwrapChecked(text: string): Original {
  return unwrap(text, parse);
}

/** Maximum nesting of JSON texts in JSON strings that is unwrapped. */
const ENCODINGS_MAX = 3;

/**
 * Unwraps a payload that is a text, which means raw output of a broken producer, once per encoding. Returns no value
 * if it is not JSON, so that the text is not mistaken for content.
 */
function unwrap(text: string, read: (text: string) => JsonValue | undefined): Original {
  let own = { text, value: read(text) };
  for (let n = 0; n < ENCODINGS_MAX && typeof own.value === "string"; n += 1) {
    own = { text: own.value, value: parseClear(own.value) };
  }
  return own;
}

/**
 * Parses unchecked JSON. Returns no value for a duplicate key: `JSON.parse` takes the last value, and a reader of the
 * text may take the first.
 */
function parseClear(text: string): JsonValue | undefined {
  const value = parse(text);
  if (typeof value !== "object" || value === null) return value;
  return parseTolerant(text).length === 1 ? value : undefined;
}

function parse(text: string): JsonValue | undefined {
  try {
    // JSON.parse returns only JSON values.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
