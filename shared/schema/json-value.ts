import { isRecord } from "#shared/json";
/** Any value that JSON can say. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

export function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

/**
 * True where `key` is the object's own, so that names such as `constructor` are never found by inheritance.
 */
export function has(object: object, key: string): boolean {
  return Object.hasOwn(object, key);
}

/** The text of a scalar: a string as it is, anything else as JSON writes it. */
export function scalarText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Writes a value with its keys sorted: equal values give equal text. */
export function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** Whether a value nests at most `depthMax` levels; what recurses over values asks this first. */
export function isWithinDepth(value: JsonValue, depthMax: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depthMax <= 0) return false;
  return Object.values(value).every((inner) => isWithinDepth(inner, depthMax - 1));
}

/** A list or an object with nothing in it. */
export function isEmptyContainer(value: JsonValue): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

/** Whether two values are equal as JSON: the order of members does not count. */
export function isSameJson(one: JsonValue, other: JsonValue): boolean {
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null)
    return one === other;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => isSameJson(item, other[index] ?? null));
  }
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => has(other, key) && isSameJson(one[key] ?? null, other[key] ?? null))
  );
}

/** A copy that shares nothing with the value. */
export function copyOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isObject(value)) return value;
  const copy: JsonObject = {};
  for (const key of Object.keys(value)) {
    // Assigning this one name would set the prototype instead.
    if (key === "__proto__") Object.defineProperty(copy, key, { ...OWN, value: copyOf(value[key] ?? null) });
    else copy[key] = copyOf(value[key] ?? null);
  }
  return copy;
}

const OWN = { enumerable: true, configurable: true, writable: true } as const;
