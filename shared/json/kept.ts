/** A `Map` or `WeakMap` as a cache. */
interface Cache<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** Returns what a cache keeps for a key; makes it, and keeps it, where there is nothing. */
export function kept<Key, Value>(cache: Cache<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  const before = cache.get(key);
  if (before !== undefined) return before;
  const made = make(key);
  cache.set(key, made);
  return made;
}
