import type { JsonValue } from "#shared/schema";

/** Length classes, in characters or digits; the last is open. */
const LENGTHS = [2, 4, 8, 16, 32, 64, 128, 256, 1024];

/** Kinds of texts, first match first; they reveal no character. */
const KINDS: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ["blank", /^\s*$/u],
  ["digits", /^\d+$/u],
  ["number in a text", /^[-+]?[\d.,' ]*\d[\d.,' ]*\s?(?:\p{L}{0,4}|\p{Sc}|%)$/u],
  ["date", /^\d{4}-\d{2}-\d{2}$/u],
  ["date with time", /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}/u],
  ["date in digits", /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$/u],
  ["address of mail", /^[^\s@]+@[^\s@]+$/u],
  ["address", /^[a-z][a-z0-9+.-]*:\/\//iu],
  ["word", /^[\p{L}\p{M}]+$/u],
  ["identifier", /^[\p{L}\p{N}_./:#-]+$/u],
  ["JSON", /^\s*[[{][^]*[\]}]\s*$/u],
  ["words", /^[^\n]*$/u],
];

/** Longer texts are classified by length only, so no pattern runs over them. */
const LOOKED_AT_MAX = 256;

/**
 * Returns a placeholder for a value: its kind and approximate length. Null, booleans and empty containers stay,
 * because they hold no fact.
 */
export function shapeOf(value: JsonValue): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number")
    return `‹${Number.isInteger(value) ? "whole number" : "number"}, ${lengthOf(String(value).length)} characters›`;
  if (typeof value === "string")
    return value === "" ? "‹empty text›" : `‹${kindOf(value)}, ${lengthOf(value.length)} characters›`;
  const size = Object.keys(value).length;
  if (Array.isArray(value)) return size === 0 ? "[]" : `‹list of ${lengthOf(size)}›`;
  return size === 0 ? "{}" : `‹object of ${lengthOf(size)} members›`;
}

function kindOf(text: string): string {
  if (text.length > LOOKED_AT_MAX) return "long text";
  return KINDS.find(([, pattern]) => pattern.test(text))?.[0] ?? "text of several lines";
}

function lengthOf(count: number): string {
  const bound = LENGTHS.find((one) => count <= one);
  return bound === undefined ? `over ${LENGTHS.at(-1)}` : `up to ${bound}`;
}
