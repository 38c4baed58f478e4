import { z } from "zod";
import { readJson } from "#shared/json";

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

/** A recipe as stored, bound to one fingerprint. Opaque here; `shared/recipes` defines its form. */
export const recipeSchema = z.object({
  recipe_id: z.string(),
  fingerprint: z.string(),
  state: z.enum(RECIPE_STATES),
  recipe: z.unknown(),
  /** Author: a person, a team's file or a model. */
  by: z.string(),
  /** RFC 3339, UTC. */
  at: z.string(),
  /** Case from whose repair it was learned; null for recipes of people and teams. */
  learned_from: z.string().nullable(),
  /** Cases that it healed with proof since its trial began, as many as trust requires. */
  proofs: z.array(z.string()),
  /** Producers whose accepted repairs yielded it; `EVERY_PRODUCER` if a person or a team's file vouches for it. */
  taught_by: z.array(z.string()),
  /** Number of healed messages that their receiver refused again, since a person last approved it. */
  failures: z.int(),
  /** Cases of the latest failures, so that each message counts once. */
  failed_on: z.array(z.string()),
  /** Failures by producer. */
  failures_of: z.record(z.string(), z.int()),
  /** Producers that it is no longer applied to, because too many of their messages came back. */
  withheld_from: z.array(z.string()),
  /** Last change: by whom, when and why. */
  changed_by: z.string(),
  changed_at: z.string(),
  why: z.string(),
  /** Rises by one with each change of its text or state; counted proofs do not change it. From 1. */
  version: z.int(),
});

export type StoredRecipe = Readonly<z.infer<typeof recipeSchema>>;

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
    taught_by: [EVERY_PRODUCER],
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

/** Parses a recipe; null for none, and for an unreadable one. */
export function readRecipe(text: string | null): StoredRecipe | null {
  return recipeSchema.safeParse(readJson(text ?? "")).data ?? null;
}
