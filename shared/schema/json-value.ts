import { isContainer, isRecord, pointerStep } from "#shared/json";

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;

export interface JsonObject {
  [key: string]: JsonValue;
}

/** Returns what JSON text says; undefined where it is none. */
export function jsonValueOf(text: string): JsonValue | undefined {
  try {
    // JSON.parse returns only JSON values.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is JsonObject {
  return isRecord(value);
}

/** Returns true for an own key, never for inherited names such as `constructor`. */
export function has(object: object, key: string): boolean {
  return Object.hasOwn(object, key);
}

/** Returns a scalar as text: strings unchanged, others as JSON. */
export function scalarText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Serialises with sorted keys: equal values give equal text. */
export function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`);
  return `{${members.join(",")}}`;
}

/** Returns true when a value nests at most `depthMax` levels; call it before recursing. */
export function isWithinDepth(value: JsonValue, depthMax: number): boolean {
  if (!isContainer(value)) return true;
  if (depthMax <= 0) return false;
  return Object.values(value).every((inner) => isWithinDepth(inner, depthMax - 1));
}

/** Deep equality of JSON values, members in any order. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (!isContainer(one) || !isContainer(other) || Array.isArray(one) !== Array.isArray(other))
    return one === other;
  const [members, others] = [Object.entries(one), new Map<string, unknown>(Object.entries(other))];
  return (
    members.length === others.size &&
    members.every(([key, value]) => others.has(key) && isSameJson(value ?? null, others.get(key) ?? null))
  );
}

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
    // An array's index is an own key.
    const isOwn: boolean = isContainer(found) && Object.hasOwn(found, step);
    found = isOwn ? (found as JsonObject)[step] : undefined;
  }
  return found;
}

/** Name of a leaf: the last step that is no list index. */
export function nameOf(steps: readonly string[]): string {
  return steps.findLast((step) => !/^\d+$/.test(step)) ?? "";
}

/** Returns the JSON pointer of a member or item below `path`. */
export function below(path: string, key: string | number): string {
  // Fast path: the validator calls this for every node.
  return typeof key === "number" || !/[~/]/.test(key) ? `${path}/${key}` : path + pointerStep(key);
}
