import { timestamp } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { readAudit } from "./read-audit.ts";
import type { AuditEntry } from "./read-audit.ts";
import { keepRecipe } from "../scripts/cases.ts";
import { addAudit } from "../scripts/groups.ts";
import { StorePart } from "../store-part.ts";
import { readRecipe, toStored } from "./recipe-record.ts";
import type { NewRecipe, StoredRecipe, UsedRecipe } from "./recipe-record.ts";

/** `full`: a limit of its producer, fingerprint or the ward is reached. `stale`: the recipe was changed meanwhile. */
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

/** A change of a recipe: its author, its action and its reason. */
interface Did {
  readonly by: string;
  readonly action: string;
  readonly why: string;
}

/** Counter that rises with every change of a recipe that affects the ladder. */
export function recipesVersionKey(keys: Keys): string {
  return keys.ward("recipes-version");
}

/** Stores the ward's recipes. Redis lets surgeon and console write them, and no agent. */
export class RecipeStore extends StorePart {
  async version(): Promise<string> {
    return (await this.redis.get(recipesVersionKey(this.keys))) ?? "0";
  }

  /** Creates a recipe. @returns `stale` if the id exists. */
  async add(recipe: NewRecipe): Promise<Kept> {
    return this.keepNew("", toStored(recipe));
  }

  /** Creates or overwrites a recipe. @returns False if its fingerprint has too many. */
  async put(recipe: NewRecipe): Promise<boolean> {
    const boundTo = await this.redis.hget(this.keys.ward("recipe-ids"), recipe.recipe_id);
    if (boundTo !== null && boundTo !== recipe.fingerprint) {
      await this.redis.hdel(this.key(boundTo), recipe.recipe_id);
      await this.redis.hdel(this.keys.ward("recipe-ids"), recipe.recipe_id);
    }
    const present = await this.redis.hget(this.key(recipe.fingerprint), recipe.recipe_id);
    const version = (readRecipe(present)?.version ?? 0) + 1;
    const kept = await this.keepNew(present ?? "", { ...toStored(recipe), version });
    return kept === "stale" ? this.put(recipe) : kept === "kept";
  }

  /**
   * Changes a recipe by a function of its present state, and retries on concurrent changes.
   * @param did - Line for the audit, by the change if need be; null where only proofs are counted.
   * @returns The recipe after the change, and whether `next` changed it; null if there is none.
   */
  async change(
    recipeId: string,
    next: (present: StoredRecipe) => StoredRecipe | null,
    did: Did | null | ((changed: StoredRecipe, present: StoredRecipe) => Did | null),
  ): Promise<{ readonly recipe: StoredRecipe; readonly isChanged: boolean } | null> {
    for (;;) {
      const text = await this.textOf(recipeId);
      const present = readRecipe(text);
      if (text === null || present === null) return null;
      const changed = next(present);
      if (changed === null) return { recipe: present, isChanged: false };
      const done = typeof did === "function" ? did(changed, present) : did;
      const recipe = {
        ...changed,
        ...(done !== null && {
          changed_by: done.by,
          changed_at: timestamp(),
          why: done.why,
          version: present.version + 1,
        }),
        proofs: changed.proofs.slice(0, PROOFS_MAX),
        failed_on: changed.failed_on.slice(-PROOFS_MAX),
        taught_by: changed.taught_by.slice(0, PRODUCERS_MAX),
        failures_of: Object.fromEntries(Object.entries(changed.failures_of).slice(0, PRODUCERS_MAX)),
        withheld_from: changed.withheld_from.slice(0, PRODUCERS_MAX),
      };
      const detail = { from: present.state, to: recipe.state, proofs: recipe.proofs.length };
      const audit = done === null ? null : auditOf({ ...recipe, ...done, detail });
      if ((await this.keep(text, recipe, audit)) === "kept") return { recipe, isChanged: true };
    }
  }

  /** Deletes a recipe with its audit, because another one covers it. */
  async remove(recipeId: string): Promise<void> {
    const text = await this.textOf(recipeId);
    const present = readRecipe(text);
    if (text === null || present === null) return;
    const kept = await this.keep(text, present, null, true);
    if (kept !== "kept") return this.remove(recipeId);
    const others = this.store.shards.filter(({ keys }) => keys.shard !== this.keys.shard);
    await Promise.all(others.map(({ redis, keys }) => redis.hdel(keys.ward("recipe-uses"), recipeId)));
  }

  async find(recipeId: string): Promise<UsedRecipe | null> {
    const found = readRecipe(await this.textOf(recipeId));
    return found === null ? null : ((await this.withUses([found]))[0] ?? null);
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
      auditLength: this.store.bounds.auditLength,
      ownAuditLength: AUDIT_OF_RECIPE_MAX,
    });
  }

  async of(fingerprint: string): Promise<StoredRecipe[]> {
    const found = (await this.redis.hvals(this.key(fingerprint))).flatMap((text) => readRecipe(text) ?? []);
    return found.filter((recipe) => recipe.fingerprint === fingerprint);
  }

  /** Returns the recipes of one fingerprint with their number of uses. */
  async usedOf(fingerprint: string): Promise<UsedRecipe[]> {
    return this.withUses(await this.of(fingerprint));
  }

  async list(): Promise<UsedRecipe[]> {
    const fingerprints = await this.redis.smembers(this.keys.ward("recipes"));
    const found = await Promise.all(fingerprints.map((fingerprint) => this.of(fingerprint)));
    return this.withUses(found.flat());
  }

  /** Adds how often each recipe healed a message, in all shards. */
  private async withUses(recipes: readonly StoredRecipe[]): Promise<UsedRecipe[]> {
    if (recipes.length === 0) return [];
    const ids = recipes.map(({ recipe_id }) => recipe_id);
    const each = await Promise.all(
      this.store.shards.map(({ redis, keys }) => redis.hmget(keys.ward("recipe-uses"), ...ids)),
    );
    return recipes.map((recipe, i) => ({
      ...recipe,
      healed: each.reduce((sum, uses) => sum + Number(uses[i] ?? 0), 0),
    }));
  }

  private async textOf(recipeId: string): Promise<string | null> {
    const fingerprint = await this.redis.hget(this.keys.ward("recipe-ids"), recipeId);
    return fingerprint === null ? null : this.redis.hget(this.key(fingerprint), recipeId);
  }

  private keepNew(present: string, recipe: StoredRecipe): Promise<Kept> {
    const audit = auditOf({ ...recipe, action: `recipe.${recipe.state}`, detail: {} });
    return this.keep(present, recipe, audit);
  }

  private async keep(
    present: string,
    recipe: StoredRecipe,
    audit: AuditEntry | null,
    isRemoved = false,
  ): Promise<Kept> {
    // Counted proofs do not affect the ladder.
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
      auditLength: this.store.bounds.auditLength,
      affectsLadder: isRemoved || audit !== null,
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

function auditOf(
  did: Did & Pick<StoredRecipe, "recipe_id" | "fingerprint" | "learned_from"> & Pick<AuditEntry, "detail">,
): AuditEntry {
  const { recipe_id, fingerprint, by, action, why, learned_from, detail } = did;
  return {
    case_id: learned_from ?? "",
    at: timestamp(),
    by,
    action,
    why,
    detail: { recipe_id, fingerprint, ...detail },
  };
}
