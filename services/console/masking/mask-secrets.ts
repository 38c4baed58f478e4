import { isDeepStrictEqual } from "node:util";
import { redactText, redactValue } from "#shared/guard";

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
  const value = parse(text);
  if (typeof value !== "object" || value === null) return masked;
  const wanted = maskSecrets(value);
  if (isDeepStrictEqual(wanted, value)) return text;
  return isDeepStrictEqual(wanted, parse(masked)) ? masked : JSON.stringify(wanted);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
