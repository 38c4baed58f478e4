import { escapeStep, stepsOf } from "#shared/json";
import { valueAt } from "./json-value.ts";
import type { JsonValue } from "./json-value.ts";

/**
 * Returns `code place type` of the faults of a value, distinct and sorted: what faults of one cause have in common.
 * @param value - Undefined if it cannot be read: then without types.
 * @param placeOf - Returns a place without indices and names of data, such as `genericPlace`.
 */
export function faultKinds(
  issues: readonly { readonly code: string; readonly path: string }[],
  value: JsonValue | undefined,
  placeOf: (path: string) => string,
): readonly string[] {
  const kinds = issues.map(({ code, path }) => {
    const type = value === undefined ? "" : ` ${typeOf(valueAt(value, stepsOf(path)))}`;
    return `${code} ${placeOf(path)}${type}`;
  });
  return [...new Set(kinds)].toSorted();
}

/** Returns a JSON pointer with `*` for indices and undeclared names. @param declared - Null: all names stay. */
export function genericPlace(path: string, declared: ReadonlySet<string> | null): string {
  if (declared === null) return path.replaceAll(/\/\d+(?=\/|$)/g, "/*");
  return stepsOf(path)
    .map((step) => `/${declared.has(step) ? escapeStep(step) : "*"}`)
    .join("");
}

/** A missing amount and an amount that is a text are two faults, though validators give them one code. */
function typeOf(value: JsonValue | undefined): string {
  if (value === undefined) return "missing";
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}
