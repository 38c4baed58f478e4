import { jsonValueOf } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { groupBy } from "../group-by.ts";

/** A parsed text: like a JSON value, but with numbers as written, repeated names, and a flag for unquoted strings. */
export type Tree =
  | ({ readonly kind: "object"; readonly entries: readonly Entry[] } & Valued)
  | ({ readonly kind: "array"; readonly items: readonly Tree[] } & Valued)
  | { readonly kind: "string"; readonly text: string; readonly bare: boolean }
  | {
      readonly kind: "number";
      readonly raw: string;
      /** The original spelling where it is not JSON's, because a text property keeps the plus of `+47`, and `True`. */
      readonly written?: string;
    }
  | {
      readonly kind: "literal";
      readonly value: boolean | null;
      /** The original word where it is not JSON's, because `none` may be a member of an enum. */
      readonly written?: string;
    };

/** Cache of a container's plain value; a field, because a map of a million entries is expensive. */
interface Valued {
  value?: JsonValue;
}

export interface Entry {
  readonly key: string;
  readonly value: Tree;
}

export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Returns the member of an object that has one alone. */
export function onlyEntry(tree: Tree): Entry | undefined {
  return tree.kind === "object" && tree.entries.length === 1 ? tree.entries[0] : undefined;
}

/** Makes one member, a list, of members with one name; a name that comes once keeps its value. */
export function grouped(entries: readonly Entry[]): Entry[] {
  return [...groupBy(entries, ({ key }) => key)].map(([key, same]) => {
    const [only, ...others] = same.map(({ value }) => value);
    return {
      key,
      value:
        only !== undefined && others.length === 0
          ? only
          : { kind: "array", items: same.map(({ value }) => value) },
    };
  });
}

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

/** Reads a scalar without JSON quotes: `12`, `true`, `'it''s'`, `plain words`. Removes emphasis. */
export function plainScalar(written: string): Tree {
  const text = written.trim().replace(/^(\*\*|__|`)([^]+)\1$/, "$2");
  if (text === "~") return { kind: "literal", value: null, written: text };
  const literal = literalOf(text);
  if (literal !== undefined) return literal;
  if (JSON_NUMBER.test(text)) return { kind: "number", raw: text };
  const single = /^'((?:[^']|'')*)'$/.exec(text)?.[1];
  if (single !== undefined) return { kind: "string", text: single.replaceAll("''", "'"), bare: false };
  const double = /^"(?:[^"\\]|\\.)*"$/.test(text) ? jsonValueOf(text) : undefined;
  const isQuoted = typeof double === "string";
  return { kind: "string", text: isQuoted ? double : text, bare: !isQuoted };
}

/** Strips emphasis, quotes and the colon from a name. Longer texts are no names. */
export function plainName(name: string): string {
  if (name.length > 200) return name;
  return name
    .trim()
    .replaceAll(/^[*_"'`]+|[*_"'`:]+$/g, "")
    .trim();
}
