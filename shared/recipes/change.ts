import type { JsonSchema } from "#shared/contract";
import type { Note } from "#shared/repair";
import type { JsonValue, Places } from "#shared/schema";
import type { RecipeOperation } from "./recipe.ts";

/** What turns one value into the other; undefined where nothing says so without quoting a message. */
export type Steps = RecipeOperation[] | undefined;

/** Two values at one place, and what the repair and the contract say of it. */
export interface Change {
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** JSON pointer in which every index of a list is `*`. */
  readonly path: string;
  /** The same place in the whole repair, with its indices. */
  readonly steps: readonly string[];
  readonly ground: Ground;
}

/** What is the same for all places of one derivation. */
export interface Ground {
  /** The repair's notes by pointers in which every index of a list is `*`. */
  readonly notes: ReadonlyMap<string, readonly Note[]>;
  /** What the contract says of places in the whole repair; undefined where only the notes are known. */
  readonly contract: { readonly places: Places; readonly schema: JsonSchema } | undefined;
  /** Other texts that a value of the repair may have come from. */
  readonly elsewhere: readonly string[];
  /** Comparisons that may still be made: what a message holds is its author's choice. */
  readonly work: { left: number };
  /** How places below this one are compared. */
  readonly compare: (change: Change) => Steps;
}
