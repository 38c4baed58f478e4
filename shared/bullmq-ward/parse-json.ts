import type { JsonValue } from "#shared/schema";

/** Returns what JSON text says; undefined where it is none. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    // JSON.parse returns only JSON values.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** Significant digits that every double keeps. */
const DIGITS_KEPT = 15;
const NUMBER = /"(?:\\.|[^"\\])*"|-?\d[\d.]*(?:[eE][+-]?\d+)?/g;

/** Returns true if JSON text has a number, outside of strings, that JavaScript would print with other digits. */
export function losesDigits(text: string): boolean {
  return (text.match(NUMBER) ?? []).some((piece) => {
    if (piece.startsWith('"')) return false;
    const digits = piece.replace(/[eE].*$/, "").replaceAll(/^-?[0.]+|\./g, "");
    return digits.length > DIGITS_KEPT && String(Number(piece)) !== piece;
  });
}
