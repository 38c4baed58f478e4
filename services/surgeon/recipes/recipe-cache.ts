import { agentNameOf, senderOf } from "#shared/envelope";
import { Recipe } from "#shared/recipes";
import { EVERY_PRODUCER } from "#shared/store/cases";
import type { RecipeStore, StoredRecipe } from "#shared/store/cases";
import type { ReadDeadMessage } from "#shared/ward";

/** A recipe that the ladder may apply. */
export interface UsableRecipe extends Pick<StoredRecipe, "recipe_id" | "taught_by" | "withheld_from"> {
  readonly state: "trusted" | "trial";
  readonly recipe: Recipe;
}

/** Returns true if a recipe applies to a producer; one on trial does only to those whose repairs led to it. */
export function isFor({ state, taught_by, withheld_from }: UsableRecipe, producer: string): boolean {
  if (withheld_from.includes(producer)) return false;
  return state === "trusted" || taught_by.includes(EVERY_PRODUCER) || taught_by.includes(producer);
}

/** Fingerprints cached at once; one more clears the cache. */
const FINGERPRINTS_MAX = 2000;

/** Caches recipes by fingerprint until one changes; a case's look-up returns the version, so it costs no call. */
export class RecipeCache {
  private readonly recipes: RecipeStore;
  private readonly byFingerprint = new Map<string, Promise<readonly UsableRecipe[]>>();
  private readonly proved = new Set<string>();
  private version = -1;

  constructor(recipes: RecipeStore) {
    this.recipes = recipes;
  }

  /** Clears the cache if the version of all recipes is newer. @returns whether it was. */
  noteVersion(version: string): boolean {
    // Replies of concurrent look-ups may arrive out of order.
    if (Number(version) <= this.version) return false;
    this.version = Number(version);
    this.byFingerprint.clear();
    this.proved.clear();
    return true;
  }

  /** Reads the version of all recipes from Redis. @returns as `noteVersion`. */
  async refresh(): Promise<boolean> {
    return this.noteVersion(await this.recipes.version());
  }

  /** Marks a trial recipe as having all the proofs it needs, until any recipe changes. */
  markProved(recipeId: string): void {
    this.proved.add(recipeId);
  }

  isProved(recipeId: string): boolean {
    return this.proved.has(recipeId);
  }

  async of(fingerprint: string): Promise<readonly UsableRecipe[]> {
    const known = this.byFingerprint.get(fingerprint);
    if (known !== undefined) return known;
    if (this.byFingerprint.size >= FINGERPRINTS_MAX) this.byFingerprint.clear();
    const read = this.recipes.of(fingerprint).then((stored) => stored.flatMap(toUsable));
    this.byFingerprint.set(fingerprint, read);
    try {
      return await read;
    } catch (error) {
      this.byFingerprint.delete(fingerprint);
      throw error;
    }
  }
}

function toUsable({ recipe_id, state, recipe, taught_by, withheld_from }: StoredRecipe): UsableRecipe[] {
  if (state !== "trusted" && state !== "trial") return [];
  const parsed = Recipe.safeParse(recipe);
  return parsed.success ? [{ recipe_id, state, recipe: parsed.data, taught_by, withheld_from }] : [];
}

/** Sender name in messages that the gateway seals. */
const GATEWAY = "gateway";

/**
 * Returns the producer of a message's fault: the plain name of the agent that sent it or whose model answered it, or
 * `gateway/KEY`. Ignores an agent's `submitted_by`, so that one agent cannot count as many producers.
 */
export function producerOf({ record, envelope }: ReadDeadMessage): string {
  if (record.subject.kind === "answer") return record.agent;
  const sender = agentNameOf(senderOf(envelope));
  const by = envelope.meta.submitted_by;
  return sender === GATEWAY && by !== undefined ? `${GATEWAY}/${by}` : sender;
}
