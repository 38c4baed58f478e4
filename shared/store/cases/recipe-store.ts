import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";

/**
 * How far a recipe is believed. `proposed`: somebody suggested it; `trial`: it is tried on held cases; `trusted`: the
 * ladder applies it; `retired`: it is kept for the record and never applied.
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
}

/** Recipes of one fingerprint at most; the newest replaces nothing, it is refused. */
const RECIPES_OF_FINGERPRINT_MAX = 20;

export class RecipeStore {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  /** Keeps a recipe under its id; the same id again replaces it. @returns false when its fingerprint has too many. */
  async put(recipe: StoredRecipe): Promise<boolean> {
    const key = this.key(recipe.fingerprint);
    const isKnown = (await this.redis.hexists(key, recipe.recipe_id)) === 1;
    if (!isKnown && (await this.redis.hlen(key)) >= RECIPES_OF_FINGERPRINT_MAX) return false;
    await this.redis.hset(key, recipe.recipe_id, JSON.stringify(recipe));
    await this.redis.sadd(this.keys.ward("recipes"), recipe.fingerprint);
    return true;
  }

  async of(fingerprint: string): Promise<StoredRecipe[]> {
    const texts = await this.redis.hvals(this.key(fingerprint));
    // Written by `put`.
    return texts.map((text) => JSON.parse(text) as StoredRecipe);
  }

  async list(): Promise<StoredRecipe[]> {
    const fingerprints = await this.redis.smembers(this.keys.ward("recipes"));
    const found = await Promise.all(fingerprints.map((fingerprint) => this.of(fingerprint)));
    return found.flat();
  }

  private key(fingerprint: string): string {
    return this.keys.ward(`recipe:${fingerprint}`);
  }
}
