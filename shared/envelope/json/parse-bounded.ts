import { pointerStep } from "#shared/json";
import { ENVELOPE_LIMITS_DEFAULT } from "../bounds.ts";
import type { EnvelopeLimits } from "../bounds.ts";
import { EnvelopeTooLargeError, JsonBoundError, JsonSyntaxError } from "../errors.ts";
import type { BoundCode } from "../errors.ts";
import { checkValue, isAllOf } from "./check-value.ts";
import { endOfString, locateFault, scanJson } from "./scan-json.ts";

interface ParseLimits extends Partial<EnvelopeLimits> {
  /** Maximum values of all objects and arrays. Default: limited by the text's size only. */
  readonly valuesMax?: number;
}

/** A value and its comma. */
const VALUE_CHARS_MIN = 2;

const PROBLEM: Readonly<Partial<Record<BoundCode, string>>> = {
  too_deep: "Objects and arrays are nested too deep",
  too_many_keys: "There are too many keys",
  too_many_values: "There are too many values",
  number_precision: "An integer has more digits than a number can hold",
};

function parseText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JsonSyntaxError(cause);
  }
}

/** Fast path: the value of a text without faults; undefined is inconclusive. Cannot overflow the stack. */
function parseSound(text: string, bounds: EnvelopeLimits): { readonly value: unknown } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isAllOf(text, value, bounds) ? { value } : undefined;
}

/**
 * Parses untrusted JSON in linear time, within the limits; refuses duplicate keys, keys that reach a prototype, base64,
 * infinite numbers and integers that would be rounded. Accepts lone surrogates.
 * @param limits - Limits that differ from `ENVELOPE_LIMITS_DEFAULT`, and a limit of values.
 * @throws {EnvelopeTooLargeError | JsonSyntaxError | JsonBoundError} With the JSON pointer of the field.
 */
export function parseBounded(text: string, limits: ParseLimits = {}): unknown {
  const bounds = { ...ENVELOPE_LIMITS_DEFAULT, ...limits };
  // A text has at least as many bytes as UTF-16 units, so only a long one needs to be measured.
  if (text.length > bounds.envelopeBytesMax / 3 && Buffer.byteLength(text) > bounds.envelopeBytesMax) {
    throw new EnvelopeTooLargeError(bounds.envelopeBytesMax);
  }
  // A text that may hold too many values is scanned before it is parsed, up to the first value above the limit.
  const isCrowded = text.length > VALUE_CHARS_MIN * (bounds.valuesMax ?? Number.POSITIVE_INFINITY);
  const parsed = isCrowded ? undefined : parseSound(text, bounds);
  if (parsed !== undefined) return parsed.value;
  const scan = scanJson(text, bounds);
  if (scan.fault !== undefined) {
    const { code, at } = scan.fault;
    const problem = PROBLEM[code] ?? "A bound is broken";
    // A total that is exceeded has no place of its own.
    const path = code === "too_deep" || code === "number_precision" ? locateFault(text, at) : "";
    throw new JsonBoundError({ bound: code, path, problem });
  }
  const value = parseText(text);
  // JSON.parse keeps the last duplicate, so a text with more keys than its value has a duplicate.
  if (checkValue(value, bounds) !== scan.keys) throw duplicateKey(text);
  return value;
}

/** Maximum values in external text: checking an invalid one takes up to 10 µs without yielding. */
const OUTSIDE_VALUES_MAX = 20_000;

/** Escape of a surrogate; its other half may follow. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Parses external JSON text. Beyond `parseBounded` it refuses lone surrogates, which UTF-8 cannot carry, and too many
 * values. @param limits - Limits that differ from `ENVELOPE_LIMITS_DEFAULT`.
 * @throws {EnvelopeTooLargeError | JsonSyntaxError | JsonBoundError}
 */
export function parseOutside(text: string, limits: Partial<EnvelopeLimits> = {}): unknown {
  const value = parseBounded(text, { ...limits, valuesMax: OUTSIDE_VALUES_MAX });
  // In text decoded from UTF-8, lone surrogates occur only as escapes.
  const path = SURROGATE_ESCAPE.test(text) || !text.isWellFormed() ? findLoneSurrogate(value) : undefined;
  if (path !== undefined)
    throw new JsonBoundError({ bound: "lone_surrogate", path, problem: "A text holds half a character" });
  return value;
}

/** Returns the JSON pointer of the first text or key with a lone surrogate. The value's depth is bounded. */
function findLoneSurrogate(value: unknown): string | undefined {
  if (typeof value === "string") return value.isWellFormed() ? undefined : "";
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const found = key.isWellFormed() ? findLoneSurrogate(child) : "";
    if (found !== undefined) return pointerStep(key.toWellFormed()) + found;
  }
  return undefined;
}

/** Reads the bytes of an answer after decompression, up to `bytesMax`. @throws {RangeError} It has more. */
export async function readBytes(response: Response, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the stream, which closes the connection.
    if (bytes > bytesMax) throw new RangeError(`the answer has more than ${bytesMax} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

/** Reads another system's answer as JSON, up to `bytesMax`. @throws {RangeError} Too long; or as `parseJson`. */
export async function readJsonAnswer(response: Response, bytesMax: number): Promise<unknown> {
  return parseJson(new TextDecoder().decode(await readBytes(response, bytesMax)));
}

/**
 * Parses external JSON text of any size; refuses duplicate keys, of which readers take different values. Linear.
 * @throws {JsonSyntaxError} Not JSON. {JsonBoundError} `duplicate_key`, with its JSON pointer.
 */
export function parseJson(text: string): unknown {
  const value = parseText(text);
  if (repeatsName(text, value)) throw duplicateKey(text);
  return value;
}

function duplicateKey(text: string): JsonBoundError {
  const problem = "An object has a key twice";
  return new JsonBoundError({ bound: "duplicate_key", path: locateFault(text), problem });
}

/** Returns true for a text with more keys than its value, parsed by `JSON.parse`: a duplicate key, however escaped. */
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
