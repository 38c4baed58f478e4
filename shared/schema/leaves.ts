import { isObject } from "./json-value.ts";
import type { JsonValue } from "./json-value.ts";
import { below } from "./pointer.ts";

/** A scalar, or an empty container, with its path. */
export interface Leaf {
  readonly path: string;
  /** Unescaped steps of the path. */
  readonly steps: readonly string[];
  readonly value: JsonValue;
}

/** Maximum nesting; anything deeper is one leaf. */
const DEPTH_MAX = 200;

/** Lists the leaves of a value in document order. */
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
  // A value made in code may contain undefined.
  return isObject(value) ? Object.entries(value).filter(([, member]) => member !== undefined) : [];
}

/** Returns the value at a path; undefined for none. Ignores inherited names. */
export function valueAt(value: JsonValue | undefined, steps: readonly string[]): JsonValue | undefined {
  let found = value;
  for (const step of steps) {
    const holder = Array.isArray(found) ? found : isObject(found) ? found : undefined;
    // An array's index is an own key.
    found =
      holder !== undefined && Object.hasOwn(holder, step)
        ? (holder as Record<string, JsonValue>)[step]
        : undefined;
  }
  return found;
}

/** Name of a leaf: the last step that is no list index. */
export function nameOf(steps: readonly string[]): string {
  return steps.findLast((step) => !/^\d+$/.test(step)) ?? "";
}
