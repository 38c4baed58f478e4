import { stepsOf } from "#shared/json";
import { below, isObject } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";

/** A member or item that exists, by its holder. */
export interface Place {
  readonly holder: JsonObject | JsonValue[];
  readonly key: string;
}

/** Most places that one pointer with wildcards may name. */
export const PLACES_MAX = 10_000;

/**
 * The holders of the last step of a pointer; `*` stands for every item or member. Places that do not exist
 * are left out.
 */
export function findHolders(root: JsonObject, steps: readonly string[]): (JsonObject | JsonValue[])[] {
  let holders: (JsonObject | JsonValue[])[] = [root];
  for (const step of steps.slice(0, -1)) {
    holders = holders
      .flatMap((holder) => keysOf(holder, step).map((key) => read({ holder, key })))
      .filter((value) => isObject(value) || Array.isArray(value))
      .slice(0, PLACES_MAX + 1);
  }
  return holders;
}

/** The places that a pointer names and that exist. */
export function findPlaces(root: JsonObject, steps: readonly string[]): Place[] {
  const last = steps.at(-1) ?? "";
  return findHolders(root, steps).flatMap((holder) => keysOf(holder, last).map((key) => ({ holder, key })));
}

/** The places that a pointer with wildcards names in a value and that exist, as pointers without. */
export function placesNamed(value: JsonValue, pointer: string): string[] {
  let found: { readonly path: string; readonly value: JsonValue }[] = [{ path: "", value }];
  for (const step of stepsOf(pointer)) {
    found = found
      .flatMap(({ path, value: holder }) =>
        isObject(holder) || Array.isArray(holder)
          ? keysOf(holder, step).map((key) => ({ path: below(path, key), value: read({ holder, key }) }))
          : [],
      )
      .slice(0, PLACES_MAX);
  }
  return found.map(({ path }) => path);
}

function keysOf(holder: JsonObject | JsonValue[], step: string): string[] {
  if (step === "*") return Object.keys(holder);
  return Object.hasOwn(holder, step) && !(Array.isArray(holder) && step === "length") ? [step] : [];
}

export function read({ holder, key }: Place): JsonValue {
  // An array is read by its index, which is an own key of it as well.
  return (holder as JsonObject)[key] ?? null;
}

export function write({ holder, key }: Place, value: JsonValue): void {
  // As in read(): for an array the key is an index that exists.
  (holder as JsonObject)[key] = value;
}
