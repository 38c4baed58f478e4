import { isDeepStrictEqual } from "node:util";
import { parseOutside } from "#shared/envelope/json";
import { SutureError } from "#shared/errors";
import type { Issue } from "#shared/errors";
import { redactText, redactValue } from "#shared/guard";
import { readJson } from "#shared/json";
import { SENSITIVE_MASK } from "#shared/masking";
import { below } from "#shared/schema";
import type { JsonValue } from "#shared/schema";

/** Stands where a secret was. */
export const MASK = "[secret]";

/** Returns a JSON value with `[secret]` in the place of keys, tokens and passwords. */
export function maskSecrets(value: unknown): unknown {
  return redactValue(value, ["secret"]).value;
}

/**
 * Returns a text with `[secret]` in the place of secrets. JSON text stays JSON text, and is written anew, digits as
 * numbers have them, only where the places cannot be told from the text alone.
 */
export function maskText(text: string): string {
  const masked = redactText(text, ["secret"]).text;
  const value = readJson(text);
  if (typeof value !== "object" || value === null) return masked;
  const wanted = maskSecrets(value);
  if (isDeepStrictEqual(wanted, value)) return text;
  return isDeepStrictEqual(wanted, readJson(masked)) ? masked : JSON.stringify(wanted);
}

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

/** A person's value, with what was masked for them put back. */
interface Restored {
  readonly value: JsonValue;
  /** Places at which a mask stands that hides nothing known there. */
  readonly issues: readonly Issue[];
}

/**
 * Puts secrets back where a person left their mask; a moved or hand-written mask is an issue, so that none is sent.
 * @param known - The values that the person may have begun with, each as it is and as it was shown.
 */
export function restoreSecrets(
  proposed: JsonValue,
  known: readonly { readonly value: JsonValue; readonly masked: unknown }[],
): Restored {
  const issues: Issue[] = [];
  return { value: restore(proposed, { known, path: "", issues }), issues };
}

interface Place {
  /** Values at this place in all that was shown, each as it is and as it was shown. */
  readonly known: readonly { readonly value: unknown; readonly masked: unknown }[];
  readonly path: string;
  readonly issues: Issue[];
}

function restore(proposed: JsonValue, place: Place): JsonValue {
  if (typeof proposed === "string") return restoreText(proposed, place);
  if (typeof proposed !== "object" || proposed === null) return proposed;
  const inner = (key: string | number): Place => ({
    ...place,
    known: place.known.map(({ value, masked }) => ({ value: at(value, key), masked: at(masked, key) })),
    path: below(place.path, key),
  });
  if (Array.isArray(proposed)) return proposed.map((item, index) => restore(item, inner(index)));
  return Object.fromEntries(
    Object.entries(proposed).map(([key, value]) => [key, restore(value, inner(key))]),
  );
}

function restoreText(proposed: string, { known, path, issues }: Place): JsonValue {
  if (!proposed.includes(MASK) && !proposed.includes(SENSITIVE_MASK)) return proposed;
  const found = known.find(({ masked }) => masked === proposed);
  // A place of a JSON value holds a JSON value.
  if (found !== undefined) return found.value as JsonValue;
  const message = "a value was masked here: write the value itself, or leave the masked place as it was";
  issues.push({ path, code: "masked_secret", message });
  return proposed;
}

function at(value: unknown, key: string | number): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  // Read as a record: it has a member of this name.
  return (value as Record<string | number, unknown>)[key];
}
