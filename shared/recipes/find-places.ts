import { stepsOf } from "#shared/json";
import { below, isObject } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";

/** An existing member or item, by its holder. */
export interface Place {
  readonly holder: JsonObject | JsonValue[];
  readonly key: string;
}

/** Maximum matches of a pointer with wildcards. */
export const PLACES_MAX = 10_000;

/** Finds the holders of a pointer's last step; `*` matches every item or member. Skips missing ones. */
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

/** Finds the existing members and items that a pointer matches. */
export function findPlaces(root: JsonObject, steps: readonly string[]): Place[] {
  const last = steps.at(-1) ?? "";
  return findHolders(root, steps).flatMap((holder) => keysOf(holder, last).map((key) => ({ holder, key })));
}

/** Expands a pointer with wildcards to the existing pointers without. */
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
  // An array's index is an own key.
  return (holder as JsonObject)[key] ?? null;
}

export function write({ holder, key }: Place, value: JsonValue): void {
  // As in read(): for an array the key is an existing index.
  (holder as JsonObject)[key] = value;
}
