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
