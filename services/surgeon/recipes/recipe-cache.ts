import { Recipe } from "#shared/recipes";
import { EVERY_PRODUCER } from "#shared/store";
import type { Store, StoredRecipe } from "#shared/store";

/** A recipe that the ladder may apply. */
export interface UsableRecipe extends Pick<StoredRecipe, "recipe_id" | "taught_by" | "withheld_from"> {
  readonly state: "trusted" | "trial";
  readonly recipe: Recipe;
}

/**
 * Whether a recipe is applied to letters of this producer. On trial only where its own repairs came to it: until others
 * agree, what one producer taught concerns nobody else.
 */
export function isFor({ state, taught_by, withheld_from }: UsableRecipe, producer: string): boolean {
  if (withheld_from.includes(producer)) return false;
  return state === "trusted" || taught_by.includes(EVERY_PRODUCER) || taught_by.includes(producer);
}

/** Fingerprints whose recipes are held at once; beyond that, all are read anew. */
const FINGERPRINTS_MAX = 2000;

/**
 * The recipes that may be applied, trusted ones and those on trial. Read once, and again when any recipe has changed:
 * who looks at a case is told in passing how many changes there have been.
 */
export class RecipeShelf {
  private readonly store: Store;
  private readonly held = new Map<string, Promise<readonly UsableRecipe[]>>();
  private readonly proved = new Set<string>();
  private version = -1;

  constructor(store: Store) {
    this.store = store;
  }

  /** Hears of the version of all recipes. @returns whether something has changed since the last one. */
  see(version: string): boolean {
    // Surgeons at work side by side may hear of an older one later.
    if (Number(version) <= this.version) return false;
    this.version = Number(version);
    this.held.clear();
    this.proved.clear();
    return true;
  }

  /** Asks for the version of all recipes. @returns as `see`. */
  async refresh(): Promise<boolean> {
    return this.see(await this.store.cases.recipes.version());
  }

  /** Remembers that a recipe on trial has all the proofs that count, until any recipe changes. */
  markProved(recipeId: string): void {
    this.proved.add(recipeId);
  }

  isProved(recipeId: string): boolean {
    return this.proved.has(recipeId);
  }

  async of(fingerprint: string): Promise<readonly UsableRecipe[]> {
    const held = this.held.get(fingerprint);
    if (held !== undefined) return held;
    if (this.held.size >= FINGERPRINTS_MAX) this.held.clear();
    const read = this.store.cases.recipes.of(fingerprint).then((stored) => stored.flatMap(toUsable));
    this.held.set(fingerprint, read);
    try {
      return await read;
    } catch (error) {
      this.held.delete(fingerprint);
      throw error;
    }
  }
}

function toUsable({ recipe_id, state, recipe, taught_by, withheld_from }: StoredRecipe): UsableRecipe[] {
  if (state !== "trusted" && state !== "trial") return [];
  const parsed = Recipe.safeParse(recipe);
  return parsed.success ? [{ recipe_id, state, recipe: parsed.data, taught_by, withheld_from }] : [];
}
