import { pointerStep } from "#shared/json";
import type { EnvelopeLimits } from "./bounds.ts";
import { JsonBoundError } from "./errors.ts";
import { parseBounded } from "./parse-bounded.ts";

/**
 * Values of all objects and arrays of one text from outside. Checking a value against a contract takes up to 10 µs for
 * each that is wrong, in one turn of the event loop.
 */
const OUTSIDE_VALUES_MAX = 20_000;

/** An escape that stands for half a character; its other half may follow. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Parses JSON text that comes from outside the system: a request, a file that a person names. Beyond what
 * `parseBounded` refuses, texts with lone surrogates are refused, which no UTF-8 can carry and which each reader
 * replaces by something else, and so are too many values.
 *
 * @param limits - Bounds that differ from `ENVELOPE_LIMITS_DEFAULT`.
 * @throws {EnvelopeTooLargeError | JsonSyntaxError | JsonBoundError}
 */
export function parseOutside(text: string, limits: Partial<EnvelopeLimits> = {}): unknown {
  const value = parseBounded(text, { ...limits, valuesMax: OUTSIDE_VALUES_MAX });
  // What was decoded from UTF-8 holds lone surrogates only as escapes.
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
