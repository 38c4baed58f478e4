import type { JsonSchema } from "#shared/json";
import { folded, namesOf, numberKey } from "#shared/repair";
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
import type { Account, Clause } from "./account.ts";
import { isValueOf } from "./derive.ts";
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
  readonly account: Account;
  /** Returns true for a clause from which readers agree to have taken a value. */
  readonly isQuoted: (clause: Clause) => boolean;
}

/**
 * Finds values of the original that the repair contains nowhere: those that the contract has a place for, and all
 * others where the repair says of its own accord that something is not there.
 */
export function findDropped({ originals, leaves, byName, account, isQuoted, ...both }: Leaves): Objection[] {
  // Fast path: most values kept their path.
  const moved = originals.filter(
    (leaf) => isFact(leaf.value) && valueAt(both.repaired, leaf.steps) !== leaf.value,
  );
  if (moved.length === 0) return [];
  const places = new Places(both.original, both.schema);
  const kept = formsIn(leaves);
  const placesAfter = new Places(both.repaired, both.schema);
  return moved
    .filter((leaf) => !formsOf(leaf.value).some((form) => kept.has(form)))
    .flatMap((leaf): Objection[] => {
      const { path } = leaf;
      if (
        isMissed(leaf, { places, repaired: both.repaired, schema: both.schema }) ||
        isUnfilled(leaf, { places, leaves, schema: both.schema }) ||
        (byName && isReplaced(leaf, { places, leaves, ...both }))
      )
        return [
          {
            path,
            code: "dropped",
            message: "the contract has a place for this value, and the repair lost it",
          },
        ];
      const isOutside = places.schemaAt(leaf) === undefined;
      if ((isOutside && !account.isSilent) || isCoerced(leaf, { leaves, places: placesAfter, ...both }))
        return [];
      const left = account.dataLeft(scalarText(leaf.value), nameOf(leaf.steps));
      return left.every(isQuoted)
        ? []
        : [{ path, code: "unaccounted", message: "this value says more than the repair has values for" }];
    });
}

/** A value under another spelling of a declared name has its place there, and nothing else fills that. */
function isUnfilled(
  leaf: Leaf,
  on: { readonly places: Places; readonly leaves: readonly Leaf[]; readonly schema: JsonSchema },
): boolean {
  const name = folded(nameOf(leaf.steps));
  return (
    namesOf(on.schema).has(name) &&
    on.places.schemaAt(leaf) === undefined &&
    !on.leaves.some(({ steps }) => steps.some((step) => folded(step) === name))
  );
}

/** Returns true when first aid makes a value of the repair, of the same name, from this one. */
function isCoerced(
  leaf: Leaf,
  on: { readonly leaves: readonly Leaf[]; readonly places: Places; readonly schema: JsonSchema },
): boolean {
  const name = folded(nameOf(leaf.steps));
  return on.leaves
    .filter((one) => one.path === leaf.path || folded(nameOf(one.steps)) === name)
    .some((one) => {
      const schema = on.places.schemaAt(one)?.schema;
      return schema !== undefined && isValueOf(leaf.value, one, { schema, root: on.schema });
    });
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
