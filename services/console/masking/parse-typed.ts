import { parseOutside } from "#shared/envelope/json";
import { SutureError } from "#shared/errors";
import type { Issue } from "#shared/errors";
import type { JsonValue } from "#shared/schema";

/** Returns the value of JSON text that a person has typed, or what is wrong with the text. */
export function parseTyped(
  text: string,
): { readonly value: JsonValue } | { readonly issues: readonly Issue[] } {
  try {
    // What came from JSON text is a JSON value.
    return { value: parseOutside(text) as JsonValue };
  } catch (error) {
    if (!(error instanceof SutureError)) throw error;
    const own = { path: "", code: error.code.toLowerCase(), message: error.message };
    return { issues: error.issues.length > 0 ? error.issues : [own] };
  }
}
