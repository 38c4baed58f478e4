import type { JsonSchema } from "#shared/json";
import { folded, numberKey } from "#shared/repair";
import {
  below,
  canonical,
  isObject,
  nameOf,
  Places,
  scalarText,
  validateWithin,
  valueAt,
} from "#shared/schema";
import type { JsonValue, Leaf } from "#shared/schema";
import type { Objection } from "./proof.ts";

interface Both {
  readonly original: JsonValue;
  readonly repaired: JsonValue;
  readonly schema: JsonSchema;
}

/** Both values with their leaves. */
interface Leaves extends Both {
  readonly originals: readonly Leaf[];
  readonly leaves: readonly Leaf[];
  /** Also checks values at undeclared paths, when the repair has another value of the same name. */
  readonly byName: boolean;
}

/** Finds values of the original, at paths that the contract declares, that the repair contains nowhere. */
export function findDropped({ originals, leaves, byName, ...both }: Leaves): Objection[] {
  // Fast path: most values kept their path.
  const moved = originals.filter(
    (leaf) => isFact(leaf.value) && valueAt(both.repaired, leaf.steps) !== leaf.value,
  );
  if (moved.length === 0) return [];
  const places = new Places(both.original, both.schema);
  const kept = formsIn(leaves);
  return moved
    .filter((leaf) => !formsOf(leaf.value).some((form) => kept.has(form)))
    .filter(
      (leaf) =>
        isMissed(leaf, { places, repaired: both.repaired, schema: both.schema }) ||
        (byName && isReplaced(leaf, { places, leaves, ...both })),
    )
    .map(({ path }) => ({
      path,
      code: "dropped" as const,
      message: "the contract has a place for this value, and the repair lost it",
    }));
}

/** A value that its path allows must survive; one that it does not allow may be replaced, not removed. */
function isMissed(
  leaf: Leaf,
  { places, repaired, schema }: Omit<Both, "original"> & { readonly places: Places },
): boolean {
  const at = places.schemaAt(leaf);
  if (at === undefined) return false;
  const isAllowed =
    validateWithin(leaf.value, at.schema, { document: schema, issuesMax: 1 }).faults.length === 0;
  return isAllowed || valueAt(repaired, leaf.steps) === undefined;
}

/**
 * Detects a replaced value in an undeclared wrapper: the repair has another value of that name where this one would
 * fit, as when injected text is taken for the answer.
 */
function isReplaced(
  leaf: Leaf,
  on: Both & { readonly places: Places; readonly leaves: readonly Leaf[] },
): boolean {
  if (on.places.schemaAt(leaf) !== undefined) return false;
  const name = folded(nameOf(leaf.steps));
  const placesAfter = new Places(on.repaired, on.schema);
  return on.leaves.some((one) => {
    if (folded(nameOf(one.steps)) !== name) return false;
    const at = placesAfter.schemaAt(one);
    if (at === undefined) return false;
    return validateWithin(leaf.value, at.schema, { document: on.schema, issuesMax: 1 }).faults.length === 0;
  });
}

function isFact(value: JsonValue): boolean {
  return value !== null && typeof value !== "object" && value !== "";
}

/** Spellings of all values and names of a repair: a list of names and values may have become members. */
export function formsIn(leaves: readonly Leaf[]): ReadonlySet<string> {
  const names = new Set(leaves.flatMap(({ steps }) => steps));
  return new Set([...leaves.map(({ value }) => value), ...names].flatMap(formsOf));
}

/** Spellings of a value after a coercion. */
export function formsOf(value: JsonValue): string[] {
  const text = scalarText(value);
  const number =
    typeof value === "boolean" ? undefined : numberKey(text.replaceAll(/(?<=\d),(?=\d{3})/g, ""));
  return [canonical(value), `word ${folded(text)}`, ...(number === undefined ? [] : [number])];
}

/** Finds lists with fewer items than before. */
export function findShrunk(original: JsonValue, repaired: JsonValue | undefined, path = ""): Objection[] {
  if (Array.isArray(original) && Array.isArray(repaired)) {
    const shorter = repaired.length < original.length;
    const inner = original.flatMap((item, index) => findShrunk(item, repaired[index], below(path, index)));
    return shorter
      ? [{ path, code: "shrunk", message: "the list has fewer items than the original" }]
      : inner;
  }
  if (!isObject(original) || !isObject(repaired)) return [];
  return Object.entries(original).flatMap(([key, value]) =>
    findShrunk(value, valueAt(repaired, [key]), below(path, key)),
  );
}
