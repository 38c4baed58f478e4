/**
 * What the reader makes of a text: like a JSON value, but numbers keep their written digits, objects keep
 * repeated names, and a string knows whether it stood in quotes.
 */
export type Tree =
  | { readonly kind: "object"; readonly entries: readonly Entry[] }
  | { readonly kind: "array"; readonly items: readonly Tree[] }
  | { readonly kind: "string"; readonly text: string; readonly bare: boolean }
  | { readonly kind: "number"; readonly raw: string }
  | { readonly kind: "literal"; readonly value: boolean | null };

export interface Entry {
  readonly key: string;
  readonly value: Tree;
}

export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
