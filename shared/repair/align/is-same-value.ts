import { isObject } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { spend } from "../read/reader.ts";
import type { Work } from "../read/reader.ts";

/** Deep equality, members in any order. Identical objects are not compared. */
export function isSameValue(one: JsonValue, other: JsonValue, work: Work): boolean {
  if (one === other) return true;
  spend(work, 6);
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSameValue(item, other[index] ?? null, work))
    );
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameValue(one[key] ?? null, other[key] ?? null, work))
  );
}
