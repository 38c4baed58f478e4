import type { JsonValue } from "#shared/schema";

/**
 * What the reader makes of a text: like a JSON value, but numbers keep their written digits, objects keep
 * repeated names, and a string knows whether it stood in quotes.
 */
export type Tree =
  | ({ readonly kind: "object"; readonly entries: readonly Entry[] } & Valued)
  | ({ readonly kind: "array"; readonly items: readonly Tree[] } & Valued)
  | { readonly kind: "string"; readonly text: string; readonly bare: boolean }
  | {
      readonly kind: "number";
      readonly raw: string;
      /** How the text writes it, where that is not JSON's form: a text field keeps the plus of `+47`. */
      readonly written?: string;
    }
  | { readonly kind: "literal"; readonly value: boolean | null };

/** What a container says as a plain value, once that was asked; kept here because a map of a million is dear. */
interface Valued {
  value?: JsonValue;
}

export interface Entry {
  readonly key: string;
  readonly value: Tree;
}

export const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
