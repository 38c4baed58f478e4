import { isObject } from "./json-value.ts";
import type { JsonValue } from "./json-value.ts";
import { below } from "./pointer.ts";

/** A scalar, or an empty container, with its place. */
export interface Leaf {
  readonly path: string;
  /** The steps of the path, unescaped. */
  readonly steps: readonly string[];
  readonly value: JsonValue;
}

/** Deepest nesting that is walked; what lies deeper is one leaf. */
const DEPTH_MAX = 200;

/** Every leaf of a value in document order. */
export function leavesOf(
  value: JsonValue,
  at: { readonly path: string; readonly steps: readonly string[] } = { path: "", steps: [] },
): Leaf[] {
  const members = at.steps.length >= DEPTH_MAX ? [] : membersOf(value);
  if (members.length === 0) return [{ ...at, value }];
  return members.flatMap(([key, member]) =>
    leavesOf(member, { path: below(at.path, key), steps: [...at.steps, key] }),
  );
}

function membersOf(value: JsonValue): [string, JsonValue][] {
  if (Array.isArray(value)) return value.map((item, index) => [String(index), item]);
  // A value made in code may hold undefined where JSON has nothing.
  return isObject(value) ? Object.entries(value).filter(([, member]) => member !== undefined) : [];
}

/** The value at a place; undefined where there is none. Never follows inherited names. */
export function valueAt(value: JsonValue | undefined, steps: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const step of steps) {
    const holder = Array.isArray(found) ? found : isObject(found) ? found : undefined;
    // An array is read by its index, which is an own key of it as well.
    found =
      holder !== undefined && Object.hasOwn(holder, step)
        ? (holder as Record<string, JsonValue>)[step]
        : undefined;
  }
  return found;
}

/** The name a leaf goes by: the last step that is no list index. */
export function nameOf(steps: readonly string[]): string {
  return steps.findLast((step) => !/^\d+$/.test(step)) ?? "";
}
