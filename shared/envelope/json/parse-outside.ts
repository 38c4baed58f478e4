import { parseJson } from "./parse-json.ts";
import { pointerStep } from "#shared/json";
import type { EnvelopeLimits } from "../bounds.ts";
import { JsonBoundError } from "../errors.ts";
import { parseBounded } from "./parse-bounded.ts";

/**
 * Maximum values of all objects and arrays in external text. Checking a value against a contract takes up to 10 µs
 * per invalid one, without yielding to the event loop.
 */
const OUTSIDE_VALUES_MAX = 20_000;

/** Escape of a surrogate; its other half may follow. */
const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;

/**
 * Parses external JSON text: a request, or a file that a person names. In addition to `parseBounded` it refuses lone
 * surrogates, which UTF-8 cannot carry and readers replace in different ways, and too many values.
 *
 * @param limits - Limits that differ from `ENVELOPE_LIMITS_DEFAULT`.
 * @throws {EnvelopeTooLargeError
 * JsonSyntaxError
 * JsonBoundError}
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

/**
 * Reads the body of another system's answer as JSON in UTF-8. One that is too long is not read to its end.
 *
 * @throws {RangeError} It has more than `bytesMax` bytes.
 * @throws what `parseJson` throws.
 */
export async function readJsonAnswer(response: Response, bytesMax: number): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > bytesMax) throw new RangeError(`the answer has more than ${bytesMax} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  return parseJson(text + decoder.decode());
}
