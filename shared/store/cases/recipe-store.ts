import { timestamp } from "#shared/clock";
import type { Keys } from "../keys.ts";
import type { HighWater } from "../people/high-water.ts";
import { readAudit } from "./read-audit.ts";
import { keepRecipe } from "../scripts/cases.ts";
import { addAudit } from "../scripts/groups.ts";
import type { RedisClient } from "../script.ts";
import type { AuditEntry } from "./case-record.ts";
import { auditOf, isNarrower, isSameForLadder, subjectOf } from "./recipe-change.ts";
import { fromText, readText, toStored } from "./recipe-record.ts";
import type { NewRecipe, RecipeSealer, StoredRecipe, UsedRecipe } from "./recipe-record.ts";

/**
 * `full`: a limit of its producer, its fingerprint or the ward is reached. `stale`: the recipe was changed since the
 * change was computed.
 */
export type Kept = "kept" | "stale" | "full";

/** Maximum recipes of one fingerprint and in all; further ones are refused. */
const RECIPES_OF_FINGERPRINT_MAX = 20;
const RECIPES_MAX = 5000;

/** Maximum of them learned from messages; the rest is reserved for people and teams' files. */
const LEARNED_OF_FINGERPRINT_MAX = 16;
const LEARNED_MAX = 4500;

/** Maximum learned from messages of one producer, so that none can use up the space of the others. */
const OF_PRODUCER_OF_FINGERPRINT_MAX = 4;
const OF_PRODUCER_MAX = 200;

/** Time to live of the list of one producer's recipes after the last one learned, in seconds. */
const PRODUCER_LIST_LIFE_S = 30 * 86_400;

/** Maximum producers in each list of a recipe. */
const PRODUCERS_MAX = 100;

/** Maximum cases that a recipe names as proofs or failures. */
const PROOFS_MAX = 100;

/** Maximum lines in a recipe's own audit; the oldest is dropped. The ward's audit is shared with all cases. */
const AUDIT_OF_RECIPE_MAX = 200;

/** The parts of a `Store` that its recipes use. */
export interface RecipeStoreParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly highWater: HighWater;
  readonly bounds: { readonly auditLength: number };
  /** Where recipes are used: each counts its own. */
  readonly shards: readonly { readonly redis: RedisClient; readonly keys: Keys }[];
}

/** Counter that rises with every change of a recipe that affects the ladder. */
export function recipesVersionKey(keys: Keys): string {
  return keys.ward("recipes-version");
}

/** Stores the ward's recipes, signed by this process and verified as its `sealer` says. */
export class RecipeStore {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly auditLength: number;
  private readonly highWater: HighWater;
  private readonly sealer: RecipeSealer | null;
  private readonly shards: RecipeStoreParts["shards"];

  /** @param sealer - Null: recipes are neither signed nor verified, for processes that only read. */
  constructor(store: RecipeStoreParts, sealer: RecipeSealer | null) {
    this.redis = store.redis;
    this.keys = store.keys;
    this.auditLength = store.bounds.auditLength;
    this.highWater = store.highWater;
    this.sealer = sealer;
    this.shards = store.shards;
  }

  async version(): Promise<string> {
    return (await this.redis.get(recipesVersionKey(this.keys))) ?? "0";
  }

  /** Creates a recipe. @returns `stale` if the id exists. */
  async add(recipe: NewRecipe): Promise<Kept> {
    const audit = auditOf({ ...recipe, action: `recipe.${recipe.state}`, detail: {} });
    const text = await this.textOf(recipe.recipe_id);
    // An unsigned recipe does not block its id.
    const mark = await this.highWater.of(subjectOf(recipe.recipe_id));
    const present = text === null || this.mayRead(fromText(text), mark) ? "" : text;
    return this.keep(present, { ...toStored(recipe), version: mark + 1 }, audit);
  }

  /** Creates or overwrites a recipe. @returns False if its fingerprint has too many. */
  async put(recipe: NewRecipe): Promise<boolean> {
    const boundTo = await this.redis.hget(this.keys.ward("recipe-ids"), recipe.recipe_id);
    if (boundTo !== null && boundTo !== recipe.fingerprint) {
      await this.redis.hdel(this.key(boundTo), recipe.recipe_id);
      await this.redis.hdel(this.keys.ward("recipe-ids"), recipe.recipe_id);
    }
    const present = await this.redis.hget(this.key(recipe.fingerprint), recipe.recipe_id);
    const before = present === null ? 0 : fromText(present).version;
    const version = Math.max(before, await this.highWater.of(subjectOf(recipe.recipe_id))) + 1;
    const kept = await this.keep(present ?? "", { ...toStored(recipe), version }, null);
    if (present !== null && kept === "kept") await this.leaveBehind(recipe.recipe_id, version);
    return kept === "stale" ? this.put(recipe) : kept === "kept";
  }

  /**
   * Changes a recipe by a function of its present state, and retries on concurrent changes.
   *
   * @param did - Line for the audit; left out where only proofs are counted.
   * @returns The recipe after the change, and whether `next` changed it; null if there is none.
   */
  async change(
    recipeId: string,
    next: (present: StoredRecipe) => StoredRecipe | null,
    did: { readonly by: string; readonly action: string; readonly why: string } | null,
  ): Promise<{ readonly recipe: StoredRecipe; readonly isChanged: boolean } | null> {
    for (;;) {
      const text = await this.textOf(recipeId);
      if (text === null) return null;
      const present = fromText(text);
      const mark = await this.highWater.of(subjectOf(recipeId));
      if (!this.mayRead(present, mark)) return null;
      const changed = next(present);
      if (changed === null) return { recipe: present, isChanged: false };
      const stamp =
        did === null
          ? {}
          : {
              changed_by: did.by,
              changed_at: timestamp(),
              why: did.why,
              version: Math.max(present.version, mark) + 1,
            };
      const proofs = changed.proofs.slice(0, PROOFS_MAX);
      const recipe = {
        ...changed,
        ...stamp,
        proofs,
        failed_on: changed.failed_on.slice(-PROOFS_MAX),
        taught_by: changed.taught_by.slice(0, PRODUCERS_MAX),
        failures_of: Object.fromEntries(Object.entries(changed.failures_of).slice(0, PRODUCERS_MAX)),
        withheld_from: changed.withheld_from.slice(0, PRODUCERS_MAX),
      };
      const detail = { from: present.state, to: recipe.state, proofs: recipe.proofs.length };
      const audit = did === null ? null : auditOf({ ...recipe, ...did, detail });
      const kept = await this.keep(text, recipe, audit);
      if (kept !== "kept") continue;
      if (isNarrower(recipe, present)) await this.leaveBehind(recipeId, recipe.version);
      return { recipe, isChanged: true };
    }
  }

  /** Deletes a recipe with its audit, because another one covers it. */
  async remove(recipeId: string): Promise<void> {
    const text = await this.textOf(recipeId);
    if (text === null) return;
    const kept = await this.keep(text, fromText(text), null, true);
    if (kept !== "kept") return this.remove(recipeId);
    const others = this.shards.filter(({ keys }) => keys.shard !== this.keys.shard);
    await Promise.all(others.map(({ redis, keys }) => redis.hdel(keys.ward("recipe-uses"), recipeId)));
  }

  async find(recipeId: string): Promise<UsedRecipe | null> {
    const text = await this.textOf(recipeId);
    if (text === null) return null;
    const [uses = 0] = await this.usesOf([recipeId]);
    return { ...fromText(text), healed: uses };
  }

  /** Returns the audit of one recipe, newest first. Empty for one whose changes are older than this audit. */
  async audit(recipeId: string): Promise<AuditEntry[]> {
    const texts = await this.redis.lrange(this.auditKey(recipeId), 0, AUDIT_OF_RECIPE_MAX - 1);
    return readAudit(texts);
  }

  /** Adds a line to a recipe's audit. */
  async note(recipeId: string, entry: AuditEntry): Promise<void> {
    await addAudit.run(this.redis, {
      wardAudit: this.keys.ward("audit"),
      audit: this.auditKey(recipeId),
      entry: JSON.stringify(entry),
      auditLength: this.auditLength,
      ownAuditLength: AUDIT_OF_RECIPE_MAX,
    });
  }

  async of(fingerprint: string): Promise<StoredRecipe[]> {
    const found = (await this.redis.hvals(this.key(fingerprint))).flatMap((text) => readText(text) ?? []);
    const own = found.filter((recipe) => recipe.fingerprint === fingerprint);
    if (this.sealer === null || this.sealer.adopts) return own;
    const marks = await this.highWater.ofEach(own.map(({ recipe_id }) => subjectOf(recipe_id)));
    return own.filter((recipe, i) => this.mayRead(recipe, marks[i] ?? 0));
  }

  /** Returns true if the recipe's signature is valid and current, or if this process does not verify. */
  async isGenuine(recipe: StoredRecipe): Promise<boolean> {
    if (this.sealer === null) return true;
    return (
      this.sealer.isGenuine(recipe) &&
      recipe.version >= (await this.highWater.of(subjectOf(recipe.recipe_id)))
    );
  }

  /** Returns true if a recipe was ever retired, narrowed or given another text. */
  async wasRestricted(recipeId: string): Promise<boolean> {
    return (await this.highWater.of(subjectOf(recipeId))) > 0;
  }

  /** @param mark - High-water mark; lower versions are outdated. */
  private mayRead(recipe: StoredRecipe, mark: number): boolean {
    if (this.sealer === null || this.sealer.adopts) return true;
    const isSigned = this.sealer.isGenuine(recipe);
    if (isSigned && recipe.version >= mark) return true;
    const problem = isSigned ? "outdated" : "unsigned";
    if (recipe.state === "trusted" || recipe.state === "trial") this.sealer.onForged(recipe, problem);
    return false;
  }

  /** Raises the high-water mark, so that no earlier version is applied, whoever signed it. */
  private async leaveBehind(recipeId: string, version: number): Promise<void> {
    await this.highWater.raise(subjectOf(recipeId), { to: version });
  }

  /** Returns the recipes of one fingerprint with their number of uses. */
  async usedOf(fingerprint: string): Promise<UsedRecipe[]> {
    const recipes = await this.of(fingerprint);
    if (recipes.length === 0) return [];
    const uses = await this.usesOf(recipes.map(({ recipe_id }) => recipe_id));
    return recipes.map((recipe, i) => ({ ...recipe, healed: uses[i] ?? 0 }));
  }

  async list(): Promise<UsedRecipe[]> {
    const fingerprints = await this.redis.smembers(this.keys.ward("recipes"));
    const found = await Promise.all(fingerprints.map((fingerprint) => this.of(fingerprint)));
    const recipes = found.flat();
    const uses = await this.usesOf(recipes.map(({ recipe_id }) => recipe_id));
    return recipes.map((recipe, i) => ({ ...recipe, healed: uses[i] ?? 0 }));
  }

  /** Returns how often each recipe healed a message, in all shards. */
  private async usesOf(ids: readonly string[]): Promise<number[]> {
    if (ids.length === 0) return [];
    const each = await Promise.all(
      this.shards.map(({ redis, keys }) => redis.hmget(keys.ward("recipe-uses"), ...ids)),
    );
    return ids.map((_, i) => each.reduce((sum, uses) => sum + Number(uses[i] ?? 0), 0));
  }

  private async textOf(recipeId: string): Promise<string | null> {
    const fingerprint = await this.redis.hget(this.keys.ward("recipe-ids"), recipeId);
    return fingerprint === null ? null : this.redis.hget(this.key(fingerprint), recipeId);
  }

  private async keep(
    present: string,
    unsealed: StoredRecipe,
    audit: AuditEntry | null,
    isRemoved = false,
  ): Promise<Kept> {
    const recipe = this.sealer?.seal(unsealed) ?? unsealed;
    // Counted proofs do not affect the ladder; a new signature does.
    const affectsLadder =
      present === "" || isRemoved || audit !== null || !isSameForLadder(fromText(present), recipe);
    const [producer = ""] = recipe.learned_from === null ? [] : recipe.taught_by;
    return keepRecipe.run(this.redis, {
      recipes: this.key(recipe.fingerprint),
      fingerprintOf: this.keys.ward("recipe-ids"),
      fingerprints: this.keys.ward("recipes"),
      version: recipesVersionKey(this.keys),
      wardAudit: this.keys.ward("audit"),
      recipeAudit: this.auditKey(recipe.recipe_id),
      ofProducer: this.keys.ward(`recipes-of:${producer}`),
      uses: this.keys.ward("recipe-uses"),
      recipeId: recipe.recipe_id,
      fingerprint: recipe.fingerprint,
      seen: present,
      recipeText: isRemoved ? null : JSON.stringify(recipe),
      ofFingerprintMax: producer === "" ? RECIPES_OF_FINGERPRINT_MAX : LEARNED_OF_FINGERPRINT_MAX,
      recipesMax: producer === "" ? RECIPES_MAX : LEARNED_MAX,
      entry: audit === null ? null : JSON.stringify(audit),
      auditLength: this.auditLength,
      affectsLadder,
      recipeAuditLength: AUDIT_OF_RECIPE_MAX,
      producer,
      ofProducerHereMax: OF_PRODUCER_OF_FINGERPRINT_MAX,
      ofProducerMax: OF_PRODUCER_MAX,
      producerListLifeS: PRODUCER_LIST_LIFE_S,
    });
  }

  private key(fingerprint: string): string {
    return this.keys.ward(`recipe:${fingerprint}`);
  }

  private auditKey(recipeId: string): string {
    return this.keys.ward(`recipe-audit:${recipeId}`);
  }
}
