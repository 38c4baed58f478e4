import type { Tree } from "./tree.ts";

/** Literals of common languages, in any case. NaN has no JSON form but null. */
const LITERALS: ReadonlyMap<string, boolean | null> = new Map([
  ["true", true],
  ["false", false],
  ..."null none nil nothing undefined undef <nil> <null> nan infinity -infinity"
    .split(" ")
    .map((word) => [word, null] as const),
]);

const CHARS_MAX = 9;

/** Reads a literal of a common language; undefined for another text. Keeps how it was written where JSON has it not. */
export function literalOf(text: string): (Tree & { readonly kind: "literal" }) | undefined {
  const value = text.length > CHARS_MAX ? undefined : LITERALS.get(text.toLowerCase());
  if (value === undefined) return undefined;
  return { kind: "literal", value, ...(text !== String(value) && { written: text }) };
}
