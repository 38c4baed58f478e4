import { timestamp } from "#shared/clock";
import type { Keys } from "../keys.ts";
import type { HighWater } from "../people/high-water.ts";
import { readAudit } from "./read-audit.ts";
import { keepRecipe } from "../scripts/cases.ts";
import { addAudit } from "../scripts/groups.ts";
import type { RedisClient } from "../script.ts";
import type { AuditEntry } from "./case-record.ts";
import { auditOf, isNarrower, isSameToTheLadder, subjectOf } from "./recipe-change.ts";
import { fromText, readText, toStored } from "./recipe-record.ts";
import type { NewRecipe, RecipeSealer, StoredRecipe, UsedRecipe } from "./recipe-record.ts";

/**
 * `full`: its producer, its fingerprint or the ward has too many. `stale`: it is not what the change was worked out
 * from.
 */
export type Kept = "kept" | "stale" | "full";

/** Recipes of one fingerprint, and in all, at most; the newest replaces nothing, it is refused. */
const RECIPES_OF_FINGERPRINT_MAX = 20;
const RECIPES_MAX = 5000;

/** How many of them may have been learned from messages: the rest is kept for people and for teams' files. */
const LEARNED_OF_FINGERPRINT_MAX = 16;
const LEARNED_MAX = 4500;

/** And how many of those from messages of one producer, so that none can take the room of all others. */
const OF_PRODUCER_OF_FINGERPRINT_MAX = 4;
const OF_PRODUCER_MAX = 200;

/** Life of the list of one producer's recipes, from the last one learned, in seconds. */
const PRODUCER_LIST_LIFE_S = 30 * 86_400;

/** Producers that a recipe names in each of its lists, at most. */
const PRODUCERS_MAX = 100;

/** Cases that a recipe names as its proofs, or its failures, at most. */
const PROOFS_MAX = 100;

/** Lines of a recipe's own audit; the oldest goes for a new one. The ward's is full of messages after a bad night. */
const AUDIT_OF_RECIPE_MAX = 200;

export class RecipeStore {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly auditLength: number;
  private readonly highWater: HighWater;
  /** Null: nothing is sealed, and whatever is there is read; so it is for those who only look. */
  private sealer: RecipeSealer | null = null;

  constructor(parts: {
    readonly redis: RedisClient;
    readonly keys: Keys;
    readonly auditLength: number;
    readonly highWater: HighWater;
  }) {
    this.redis = parts.redis;
    this.keys = parts.keys;
    this.auditLength = parts.auditLength;
    this.highWater = parts.highWater;
  }

  /** Has every recipe sealed from now on, and those that nobody stands for passed over, unless it adopts them. */
  sealWith(sealer: RecipeSealer): void {
    this.sealer = sealer;
  }

  /** Counter that rises with every change that the ladder has to hear of. */
  get versionKey(): string {
    return this.keys.ward("recipes-version");
  }

  async version(): Promise<string> {
    return (await this.redis.get(this.versionKey)) ?? "0";
  }

  /** Writes a new recipe down. @returns `stale` when there is one of this id already. */
  async add(recipe: NewRecipe): Promise<Kept> {
    const audit = auditOf({ ...recipe, action: `recipe.${recipe.state}`, detail: {} });
    const text = await this.textOf(recipe.recipe_id);
    // What nobody stands for keeps no place.
    const mark = await this.highWater.of(subjectOf(recipe.recipe_id));
    const present = text === null || this.mayRead(fromText(text), mark) ? "" : text;
    return this.keep(present, { ...toStored(recipe), version: mark + 1 }, audit);
  }

  /** Writes a recipe down, whatever was there under its id. @returns false when its fingerprint has too many. */
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
   * Changes a recipe as `next` says, from what it is when that is asked; again, when somebody else changes it
   * meanwhile.
   *
   * @param did - The line for the audit; left out where only proofs are counted.
   * @returns The recipe as it is now, and whether `next` changed it; null when there is none of that id.
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

  /** Deletes a recipe with its audit, because another one says all that it said. */
  async remove(recipeId: string): Promise<void> {
    const text = await this.textOf(recipeId);
    if (text === null) return;
    const kept = await this.keep(text, fromText(text), null, true);
    if (kept !== "kept") await this.remove(recipeId);
  }

  async find(recipeId: string): Promise<UsedRecipe | null> {
    const text = await this.textOf(recipeId);
    if (text === null) return null;
    const uses = await this.redis.hget(this.keys.ward("recipe-uses"), recipeId);
    return { ...fromText(text), healed: Number(uses ?? 0) };
  }

  /** Who did what with one recipe, newest first. Empty for one that was changed only before this was kept. */
  async audit(recipeId: string): Promise<AuditEntry[]> {
    const texts = await this.redis.lrange(this.auditKey(recipeId), 0, AUDIT_OF_RECIPE_MAX - 1);
    return readAudit(texts);
  }

  /** Adds a line to what is known of one recipe. */
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

  /** Whether somebody stands for it as it is, as far as this process asks. */
  async isGenuine(recipe: StoredRecipe): Promise<boolean> {
    if (this.sealer === null) return true;
    return (
      this.sealer.isGenuine(recipe) &&
      recipe.version >= (await this.highWater.of(subjectOf(recipe.recipe_id)))
    );
  }

  /** Whether a recipe was ever switched off, narrowed or given another text. */
  async wasJudged(recipeId: string): Promise<boolean> {
    return (await this.highWater.of(subjectOf(recipeId))) > 0;
  }

  /** @param mark - Versions below it are older than what somebody has decided since. */
  private mayRead(recipe: StoredRecipe, mark: number): boolean {
    if (this.sealer === null || this.sealer.adopts) return true;
    const isSigned = this.sealer.isGenuine(recipe);
    if (isSigned && recipe.version >= mark) return true;
    const problem = isSigned ? "outdated" : "unsigned";
    if (recipe.state === "trusted" || recipe.state === "trial") this.sealer.onForged(recipe, problem);
    return false;
  }

  /** From now on no version before this one is applied, whoever signed it. */
  private async leaveBehind(recipeId: string, version: number): Promise<void> {
    await this.highWater.raise(subjectOf(recipeId), { to: version });
  }

  /** The recipes of one fingerprint with how often each was used. */
  async usedOf(fingerprint: string): Promise<UsedRecipe[]> {
    const recipes = await this.of(fingerprint);
    if (recipes.length === 0) return [];
    const uses = await this.redis.hmget(
      this.keys.ward("recipe-uses"),
      ...recipes.map(({ recipe_id }) => recipe_id),
    );
    return recipes.map((recipe, i) => ({ ...recipe, healed: Number(uses[i] ?? 0) }));
  }

  async list(): Promise<UsedRecipe[]> {
    const fingerprints = await this.redis.smembers(this.keys.ward("recipes"));
    const found = await Promise.all(fingerprints.map((fingerprint) => this.of(fingerprint)));
    const uses = await this.redis.hgetall(this.keys.ward("recipe-uses"));
    return found.flat().map((recipe) => ({ ...recipe, healed: Number(uses[recipe.recipe_id] ?? 0) }));
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
    // Counted proofs change nothing for who applies it; that somebody stands for it now does.
    const isHeard =
      present === "" || isRemoved || audit !== null || !isSameToTheLadder(fromText(present), recipe);
    const [producer = ""] = recipe.learned_from === null ? [] : recipe.taught_by;
    return keepRecipe.run(this.redis, {
      recipes: this.key(recipe.fingerprint),
      fingerprintOf: this.keys.ward("recipe-ids"),
      fingerprints: this.keys.ward("recipes"),
      version: this.versionKey,
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
      isHeard,
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
