import { pointerStep } from "#shared/json";

/** The first place of a value that JSON cannot hold as it is. */
export interface Unwritable {
  /** JSON pointer; "" is the whole value. */
  readonly path: string;
  /** Such as `NaN`, `BigInt`, `Date`, `Map` or `cycle`. */
  readonly kind: string;
}

/** Deeper values overflow the stack of whoever writes them. */
const DEPTH_MAX = 1000;

/**
 * Looks for what JSON would drop, change or refuse: NaN and infinities, BigInts, functions, symbols, objects of
 * built-in classes (Date, Map, Set, Promise, Error, typed arrays, …), instances without fields, and cycles. `undefined`
 * is allowed: JSON leaves such members out.
 */
export function findUnwritable(value: unknown): Unwritable | null {
  try {
    return find(value, "", []);
  } catch {
    return { path: "", kind: "value that cannot be read" };
  }
}

function find(value: unknown, path: string, above: readonly object[]): Unwritable | null {
  if (typeof value === "number") return Number.isFinite(value) ? null : { path, kind: String(value) };
  if (typeof value === "bigint") return { path, kind: "BigInt" };
  if (typeof value === "function" || typeof value === "symbol") return { path, kind: typeof value };
  if (typeof value !== "object" || value === null) return null;
  if (above.includes(value)) return { path, kind: "cycle" };
  if (above.length > DEPTH_MAX) return { path, kind: "value that is nested too deeply" };
  const kind = kindOf(value);
  if (kind !== null) return { path, kind };
  const written: unknown = "toJSON" in value && typeof value.toJSON === "function" ? value.toJSON() : value;
  if (written !== value) return find(written, path, [...above, value]);
  const inside = [...above, value];
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    // Most members are texts and need no pointer.
    if (typeof member === "string") continue;
    const found = find(member, path + pointerStep(key), inside);
    if (found !== null) return found;
  }
  return null;
}

/** Returns the class of an object whose content is not in its fields; null for data. */
function kindOf(value: object): string | null {
  if (Array.isArray(value)) return null;
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  if (tag !== "Object") return tag;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype || "toJSON" in value) return null;
  // Objects of another realm have another Object.prototype, whose own prototype is null.
  if (Object.getPrototypeOf(prototype) === null) return null;
  return Object.keys(value).length > 0 ? null : `${value.constructor.name || "class"} without fields`;
}
