import { ENVELOPE_LIMITS_DEFAULT } from "../bounds.ts";
import type { EnvelopeLimits } from "../bounds.ts";
import { checkValue, isAllOf } from "./check-value.ts";
import { EnvelopeTooLargeError, JsonBoundError, JsonSyntaxError } from "../errors.ts";
import type { BoundCode } from "../errors.ts";
import { locateFault } from "./locate-fault.ts";
import { scanJson } from "./scan-json.ts";

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

/**
 * Fast path: returns the value of a text without faults, which nearly all are. Undefined is inconclusive, and the
 * slow path locates the fault. Neither the parser nor the walk can overflow the stack.
 */
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
 * Parses untrusted JSON text in linear time. Refuses too many bytes, nesting or keys beyond the limits, duplicate
 * keys, keys that reach a prototype (however escaped), long strings and base64 content, infinite numbers, and
 * integers that would be rounded. Accepts lone surrogates.
 *
 * @param limits - Limits that differ from `ENVELOPE_LIMITS_DEFAULT`, and a limit of values.
 * @throws {EnvelopeTooLargeError} More bytes than `envelopeBytesMax`.
 * @throws {JsonSyntaxError} Not JSON.
 * @throws {JsonBoundError} With the code of the limit and the JSON pointer of the field.
 */
export function parseBounded(text: string, limits: ParseLimits = {}): unknown {
  const bounds = { ...ENVELOPE_LIMITS_DEFAULT, ...limits };
  // A text has at least as many bytes as UTF-16 units, so only a long one needs to be measured.
  if (text.length > bounds.envelopeBytesMax / 3 && Buffer.byteLength(text) > bounds.envelopeBytesMax) {
    throw new EnvelopeTooLargeError(bounds.envelopeBytesMax);
  }
  // A text that may hold too many values is scanned before it is parsed; the scan stops at the first value above the
  // limit.
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
  if (checkValue(value, bounds) !== scan.keys) {
    const problem = "An object has a key twice";
    throw new JsonBoundError({ bound: "duplicate_key", path: locateFault(text), problem });
  }
  return value;
}
