/** Returns true for a list or an object: neither null nor a bare value. */
export function isContainer<Value>(value: Value): value is Value & object {
  return typeof value === "object" && value !== null;
}

/** Returns true for an object with members: not null, no list, no bare value. */
export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return isContainer(value) && !Array.isArray(value);
}

/** A JSON Schema (2020-12), such as `z.toJSONSchema` writes it, with our `x-` keywords from `.meta()`. */
export type JsonSchema = { readonly [keyword: string]: unknown };

/** Returns what a cache, a `Map` or `WeakMap`, keeps for a key; makes it, and keeps it, where there is nothing. */
export function kept<Key, Value>(
  cache: { get(key: Key): Value | undefined; set(key: Key, value: Value): unknown },
  key: Key,
  make: (key: Key) => Value,
): Value {
  const before = cache.get(key);
  if (before !== undefined) return before;
  const made = make(key);
  cache.set(key, made);
  return made;
}

/** Parses JSON text. @returns undefined if it is not valid. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keys come from strangers: a longer one is cut, so that an error never carries a payload along. */
const STEP_CHARS_MAX = 128;

/** Returns a key of an object or an index of an array as it stands in a JSON pointer (RFC 6901), without a slash. */
export function escapeStep(key: PropertyKey): string {
  return String(key).replaceAll("~", "~0").replaceAll("/", "~1");
}

/** Returns one step of a JSON pointer with its slash, for errors: of a key of more than 128 characters, the first. */
export function pointerStep(key: PropertyKey): string {
  const text = String(key);
  return `/${escapeStep(text.length > STEP_CHARS_MAX ? `${text.slice(0, STEP_CHARS_MAX)}…` : text)}`;
}

/** Returns the keys that a JSON pointer names in turn; none for "". What stands before the first slash is dropped. */
export function stepsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}
