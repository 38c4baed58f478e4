import type { JsonValue } from "#shared/schema";
import type { Draw } from "../seeded.ts";
import type { CorpusContract } from "./contract.ts";

/** Who does the damage. A third of each source's kinds is held out. */
export type Source =
  | "undamaged"
  | "models"
  | "providers"
  | "languages"
  | "transport"
  | "spreadsheets"
  | "shape"
  | "truncation"
  | "hopeless";

/** The one right value, or the reason why none can be derived. */
export type Right = { readonly value: JsonValue } | { readonly refusal: string };

/** A good value, and the contract that it fits. */
export interface Good {
  readonly value: JsonValue;
  readonly contract: CorpusContract;
}

/** A kind of damage. Each gives undefined where it does not apply, or where its result would be ambiguous. */
interface Kind {
  readonly name: string;
  /** Why the right answer is certain. */
  readonly why: string;
}

/** Changes the value and leaves the syntax sound. Changed values must not fit the contract by themselves. */
export interface ShapeDamage extends Kind {
  /** Whether only JSON can show it, because other notations have no marks around names. */
  readonly isOnlyJson?: boolean;
  readonly apply: (good: Good, draw: Draw) => JsonValue | undefined;
}

/** Writes the value in another notation than JSON. The value may itself be a misshapen one. */
export interface StyleDamage extends Kind {
  readonly write: (good: Good, draw: Draw) => string | undefined;
}

/** Spoils a finished text. */
export interface TextDamage extends Kind {
  /** Sound JSON, text that begins and ends with brackets, marked lines without an empty one, or any text. */
  readonly takes: "json" | "brackets" | "lines" | "any";
  readonly apply: (text: string, draw: Draw, good: Good) => string | undefined;
}

/** Makes the whole text, and knows what is right for it. */
export interface WholeDamage extends Kind {
  /** Whether a frame around it could decide what it leaves open. */
  readonly isAlone?: boolean;
  readonly make: (good: Good, draw: Draw) => { readonly text: string; readonly right: Right } | undefined;
}

/** A kind of damage of one source. Layers are in the order in which damages happen to a text. */
export type Damage = { readonly source: Source } & (
  | { readonly layer: "shape"; readonly kind: ShapeDamage }
  | { readonly layer: "style"; readonly kind: StyleDamage }
  | { readonly layer: "syntax" | "transport" | "frame"; readonly kind: TextDamage }
  | { readonly layer: "whole"; readonly kind: WholeDamage }
);

export const pretty = (value: JsonValue): string => JSON.stringify(value, null, 2);

export const plain = (value: JsonValue): string => JSON.stringify(value);

/** Models write compact JSON, spaced JSON and indented JSON. */
export function written(value: JsonValue, draw: Draw): string {
  return draw.pick([
    pretty,
    pretty,
    plain,
    (one: JsonValue) => JSON.stringify(one, null, 1).replaceAll(/\n */g, " "),
  ])(value);
}
