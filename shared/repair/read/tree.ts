import { groupBy } from "../group-by.ts";
import type { JsonValue } from "#shared/schema";

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
