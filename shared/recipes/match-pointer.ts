import { stepsOf } from "#shared/json";
import { below, isObject } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";

/** An existing member or item, by its parent. */
export interface PointerMatch {
  readonly parent: JsonObject | JsonValue[];
  readonly key: string;
}

/** Maximum matches of a pointer with wildcards. */
export const MATCHES_MAX = 10_000;

/** Finds the parents of a pointer's last step; `*` matches every item or member. Skips missing ones. */
export function matchParents(root: JsonObject, steps: readonly string[]): (JsonObject | JsonValue[])[] {
  let parents: (JsonObject | JsonValue[])[] = [root];
  for (const step of steps.slice(0, -1)) {
    parents = parents
      .flatMap((parent) => keysOf(parent, step).map((key) => read({ parent, key })))
      .filter((value) => isObject(value) || Array.isArray(value))
      .slice(0, MATCHES_MAX + 1);
  }
  return parents;
}

/** Finds the existing members and items that a pointer matches. */
export function matchPointer(root: JsonObject, steps: readonly string[]): PointerMatch[] {
  const last = steps.at(-1) ?? "";
  return matchParents(root, steps).flatMap((parent) => keysOf(parent, last).map((key) => ({ parent, key })));
}

/** Expands a pointer with wildcards to the existing pointers without. */
export function expandPointer(value: JsonValue, pointer: string): string[] {
  let found: { readonly path: string; readonly value: JsonValue }[] = [{ path: "", value }];
  for (const step of stepsOf(pointer)) {
    found = found
      .flatMap(({ path, value: parent }) =>
        isObject(parent) || Array.isArray(parent)
          ? keysOf(parent, step).map((key) => ({ path: below(path, key), value: read({ parent, key }) }))
          : [],
      )
      .slice(0, MATCHES_MAX);
  }
  return found.map(({ path }) => path);
}

function keysOf(parent: JsonObject | JsonValue[], step: string): string[] {
  if (step === "*") return Object.keys(parent);
  return Object.hasOwn(parent, step) && !(Array.isArray(parent) && step === "length") ? [step] : [];
}

export function read({ parent, key }: PointerMatch): JsonValue {
  // An array's index is an own key.
  return (parent as JsonObject)[key] ?? null;
}

export function write({ parent, key }: PointerMatch, value: JsonValue): void {
  // As in read(): for an array the key is an existing index.
  (parent as JsonObject)[key] = value;
}
