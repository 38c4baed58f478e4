import { isObjectWith, readJson } from "../read-fields.ts";

/**
 * State of a recipe.
 * - `proposed`: suggested, never applied. Leaves by an approval, or when an accepted repair yields the same recipe.
 * - `trial`: learned from an accepted repair, or edited. Applied to messages of the producers whose repairs yielded
 *   it; successes with proof are counted. Becomes trusted after enough messages and enough producers.
 * - `trusted`: applied to messages of every producer.
 * - `retired`: by a person, or after messages of enough producers came back. Kept for the record, never applied,
 *   never learned again.
 *
 * A learned recipe that is not trusted is deleted with the last case of its group; all others are kept.
 */
export const RECIPE_STATES = ["proposed", "trial", "trusted", "retired"] as const;

export type RecipeState = (typeof RECIPE_STATES)[number];

/** A recipe as stored, bound to one fingerprint. Opaque here; `shared/recipes` defines its form. */
export interface StoredRecipe {
  readonly recipe_id: string;
  readonly fingerprint: string;
  readonly state: RecipeState;
  readonly recipe: unknown;
  /** Author: a person, a team's file or a model. */
  readonly by: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** Case from whose repair it was learned; null for recipes of people and teams. */
  readonly learned_from: string | null;
  /** Cases that it healed with proof since its trial began, as many as trust requires. */
  readonly proofs: readonly string[];
  /** Producers whose accepted repairs yielded it; `EVERY_PRODUCER` if a person or a team's file vouches for it. */
  readonly taught_by: readonly string[];
  /** Number of healed messages that their receiver refused again, since a person last approved it. */
  readonly failures: number;
  /** Cases of the latest failures, so that each message counts once. */
  readonly failed_on: readonly string[];
  /** Failures by producer. */
  readonly failures_of: Readonly<Record<string, number>>;
  /** Producers that it is no longer applied to, because too many of their messages came back. */
  readonly withheld_from: readonly string[];
  /** Last change: by whom, when and why. */
  readonly changed_by: string;
  readonly changed_at: string;
  readonly why: string;
  /** Rises by one with each change of its text or state; counted proofs do not change it. From 1. */
  readonly version: number;
}

/** The given fields of a new recipe; the rest gets defaults. */
export type NewRecipe = Pick<StoredRecipe, "recipe_id" | "fingerprint" | "state" | "recipe" | "by" | "at"> &
  Partial<Pick<StoredRecipe, "learned_from" | "taught_by" | "proofs" | "why">>;

/** In `taught_by`: applied to messages of every producer while on trial. No producer can have this name. */
export const EVERY_PRODUCER = "*";

/** A recipe with its number of uses. */
export interface UsedRecipe extends StoredRecipe {
  /** Messages that it healed. */
  readonly healed: number;
}

/** Fills in the defaults of a new recipe. */
export function toStored(recipe: NewRecipe): StoredRecipe {
  return {
    learned_from: null,
    // Recipes learned by older releases name no producer: on trial they are not applied before another repair yields
    // them.
    taught_by: (recipe.learned_from ?? null) === null ? [EVERY_PRODUCER] : [],
    proofs: [],
    failures: 0,
    failed_on: [],
    failures_of: {},
    withheld_from: [],
    changed_by: recipe.by,
    changed_at: recipe.at,
    why: "",
    version: 1,
    ...recipe,
  };
}

/** Parses a recipe for a list; null for an unreadable one, which is skipped. */
export function readText(text: string): StoredRecipe | null {
  return isObjectWith(readJson(text), "recipe_id", "fingerprint", "state") ? fromText(text) : null;
}

/** Parses a recipe that `keep` wrote; older releases wrote fewer fields. */
export function fromText(text: string): StoredRecipe {
  return toStored(JSON.parse(text) as NewRecipe);
}
