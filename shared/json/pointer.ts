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
