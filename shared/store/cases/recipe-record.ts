import type { RecordSeal } from "#shared/envelope";

/**
 * How far a recipe is believed.
 * - `proposed`: somebody suggested it, or a failed proof sent it back; leaves by an approval, or when another
 *   accepted repair says the same. Never applied.
 * - `trial`: it was taken from an accepted repair, or edited; the ladder applies it and counts the letters that it
 *   heals with proof. Leaves as trusted after enough of them, and back to proposed by one failed proof.
 * - `trusted`: the ladder applies it. One failed proof sends it back.
 * - `retired`: by a person, or after too many failed proofs. Kept for the record, never applied, never learned again.
 *
 * A learned one that is not trusted goes with the last case of its group; all others are kept.
 */
export const RECIPE_STATES = ["proposed", "trial", "trusted", "retired"] as const;

export type RecipeState = (typeof RECIPE_STATES)[number];

/** A recipe as it is kept, bound to one fingerprint. Opaque here; `shared/surgery` gives it its form. */
export interface StoredRecipe {
  readonly recipe_id: string;
  readonly fingerprint: string;
  readonly state: RecipeState;
  readonly recipe: unknown;
  /** A person, a team's file or a model. */
  readonly by: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** The case whose repair it was taken from; null for what people and teams wrote. */
  readonly learned_from: string | null;
  /** Cases that it healed with proof since it came on trial, as many as it takes to be trusted. */
  readonly proofs: readonly string[];
  /** Letters on which its proof failed, since it was written down or a person last stood for it. */
  readonly failures: number;
  /** The cases of the latest of them: the same letter counts once. */
  readonly failed_on: readonly string[];
  /** Who changed it last, when and why. */
  readonly changed_by: string;
  readonly changed_at: string;
  readonly why: string;
  /** Rises by one with each change of its text or state; a counted proof is none. From 1. */
  readonly version: number;
  /** Who stands for it. Absent: nobody, and no surgeon applies it. */
  readonly seal?: RecordSeal;
}

/** Stands for the recipes that a process writes down, and tells whether somebody stood for those that it reads. */
export interface RecipeSealer {
  readonly seal: (recipe: StoredRecipe) => StoredRecipe;
  readonly isGenuine: (recipe: StoredRecipe) => boolean;
  /** Whether what nobody stands for may be read and changed: a person looks at it first, a surgeon does not. */
  readonly adopts: boolean;
  /** Hears of each recipe that is said to be in use, and that nobody stands for. */
  readonly onForged: (recipe: StoredRecipe) => void;
}

/** What a recipe is when it is first written down; the rest follows. */
export type NewRecipe = Pick<StoredRecipe, "recipe_id" | "fingerprint" | "state" | "recipe" | "by" | "at"> &
  Partial<Pick<StoredRecipe, "learned_from" | "proofs" | "why">>;

/** A recipe with how often the ladder healed with it. */
export interface UsedRecipe extends StoredRecipe {
  /** Letters that left the ward by it. */
  readonly healed: number;
}
