/** Returns true for a list or an object: neither null nor a bare value. */
export function isContainer<Value>(value: Value): value is Value & object {
  return typeof value === "object" && value !== null;
}

/** Returns true for an object with members: not null, no list, no bare value. */
export function isRecord(value: unknown): value is { readonly [key: string]: unknown } {
  return isContainer(value) && !Array.isArray(value);
}
