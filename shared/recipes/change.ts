import type { JsonSchema } from "#shared/json";
import type { Note } from "#shared/repair";
import type { JsonValue, Places } from "#shared/schema";
import type { RecipeOperation } from "./recipe.ts";

/** Operations from one value to another; undefined where they would have to quote the message. */
export type Steps = RecipeOperation[] | undefined;

/** Two values at one path, with the repair's notes and the contract. */
export interface Change {
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** JSON pointer with `*` for list indexes. */
  readonly path: string;
  /** The path in the whole repair, with indexes. */
  readonly steps: readonly string[];
  readonly derivation: Derivation;
}

/** State shared by one derivation. */
export interface Derivation {
  /** The repair's notes by pointers with `*` for list indexes. */
  readonly notes: ReadonlyMap<string, readonly Note[]>;
  /** The contract; undefined where only the notes are known. */
  readonly contract: { readonly places: Places; readonly schema: JsonSchema } | undefined;
  /** Other texts from which a value may come. */
  readonly elsewhere: readonly string[];
  /** Remaining comparisons, a limit because the message's author controls its size. */
  readonly work: { left: number };
  /** Compares paths below this one. */
  readonly compare: (change: Change) => Steps;
}
