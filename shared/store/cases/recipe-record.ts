import type { RecordSeal } from "#shared/envelope";
import { isObjectWith, readJson } from "../read-fields.ts";

/**
 * How far a recipe is believed.
 * - `proposed`: somebody suggested it. Leaves by an approval, or when an accepted repair says the same. Never applied.
 * - `trial`: it was taken from an accepted repair, or edited. The ladder applies it to messages of the producers whose
 *   repairs came to it, and counts those that it heals with proof. Leaves as trusted after enough messages, once the
 *   repairs of enough producers came to it.
 * - `trusted`: the ladder applies it to messages of every producer.
 * - `retired`: by a person, or after messages of enough producers came back. Kept for the record, never applied, never
 *   learned again.
 *
 * A learned one that is not trusted goes with the last case of its group; all others are kept.
 */
export const RECIPE_STATES = ["proposed", "trial", "trusted", "retired"] as const;

export type RecipeState = (typeof RECIPE_STATES)[number];

/** A recipe as it is kept, bound to one fingerprint. Opaque here; `shared/recipes` gives it its form. */
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
  /** Producers whose accepted repairs came to it; `EVERY_PRODUCER` where a person or a team's file stands for it. */
  readonly taught_by: readonly string[];
  /** Messages that it healed and that their receiver refused again, since a person last stood for it. */
  readonly failures: number;
  /** The cases of the latest of them: the same message counts once. */
  readonly failed_on: readonly string[];
  /** The same messages, counted by producer. */
  readonly failures_of: Readonly<Record<string, number>>;
  /** Producers to whose messages it is not applied any more, because too many of theirs came back. */
  readonly withheld_from: readonly string[];
  /** Who changed it last, when and why. */
  readonly changed_by: string;
  readonly changed_at: string;
  readonly why: string;
  /** Rises by one with each change of its text or state; a counted proof is none. From 1. */
  readonly version: number;
  /** Who stands for it. Absent: nobody, and no surgeon applies it. */
  readonly seal?: RecordSeal;
}

export type RecipeProblem = "unsigned" | "outdated";

/** Stands for the recipes that a process writes down, and tells who stood for those that it reads. */
export interface RecipeSealer {
  readonly seal: (recipe: StoredRecipe) => StoredRecipe;
  readonly isGenuine: (recipe: StoredRecipe) => boolean;
  /** Whether what nobody stands for may be read and changed: a person looks at it first, a surgeon does not. */
  readonly adopts: boolean;
  /**
   * Hears of each recipe that is said to be in use, and that nobody stands for: `unsigned`, or `outdated`, a genuine
   * one that was switched off or changed since.
   */
  readonly onForged: (recipe: StoredRecipe, problem: RecipeProblem) => void;
}

/** What a recipe is when it is first written down; the rest follows. */
export type NewRecipe = Pick<StoredRecipe, "recipe_id" | "fingerprint" | "state" | "recipe" | "by" | "at"> &
  Partial<Pick<StoredRecipe, "learned_from" | "taught_by" | "proofs" | "why">>;

/** In `taught_by`: applied to the messages of every producer while it is on trial. No producer has this name. */
export const EVERY_PRODUCER = "*";

/** A recipe with how often the ladder healed with it. */
export interface UsedRecipe extends StoredRecipe {
  /** Messages that left the ward by it. */
  readonly healed: number;
}

/** A recipe as it is first kept. */
export function toStored(recipe: NewRecipe): StoredRecipe {
  return {
    learned_from: null,
    // What an older release learned names no producer: on trial it waits until a repair comes to it again.
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

/** A recipe for a list; null for a text that is none: it serves nobody and hides no other. */
export function readText(text: string): StoredRecipe | null {
  return isObjectWith(readJson(text), "recipe_id", "fingerprint", "state") ? fromText(text) : null;
}

/** Reads what was written by `keep`, perhaps by an older release, which knew less of a recipe. */
export function fromText(text: string): StoredRecipe {
  return toStored(JSON.parse(text) as NewRecipe);
}
