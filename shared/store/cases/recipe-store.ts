import { timestamp } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { isObjectWith, readJson } from "../read-fields.ts";
import { readAudit } from "./read-audit.ts";
import type { NewRecipe, RecipeSealer, StoredRecipe, UsedRecipe } from "./recipe-record.ts";
import { Script } from "../script.ts";
import type { RedisClient } from "../script.ts";
import type { AuditEntry } from "./case-record.ts";

const addAudit = new Script("add-audit.lua", ["push-audit.lua"]);
const keepRecipe = new Script("keep-recipe.lua", ["push-audit.lua"]);

/** `full`: its fingerprint, or the ward, has too many. `stale`: it is not what the change was worked out from. */
export type Kept = "kept" | "stale" | "full";

/** Recipes of one fingerprint, and in all, at most; the newest replaces nothing, it is refused. */
const RECIPES_OF_FINGERPRINT_MAX = 20;
const RECIPES_MAX = 5000;

/** Cases that a recipe names as its proofs, or its failures, at most. */
const PROOFS_MAX = 100;

/** Lines of a recipe's own audit; the oldest goes for a new one. The ward's is full of letters after a bad night. */
const AUDIT_OF_RECIPE_MAX = 200;

export class RecipeStore {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly auditLength: number;
  /** Null: nothing is sealed, and whatever is there is read; so it is for those who only look. */
  private sealer: RecipeSealer | null = null;

  constructor(parts: { readonly redis: RedisClient; readonly keys: Keys; readonly auditLength: number }) {
    this.redis = parts.redis;
    this.keys = parts.keys;
    this.auditLength = parts.auditLength;
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
    const present = text === null || this.mayRead(fromText(text)) ? "" : text;
    return this.keep(present, toStored(recipe), audit);
  }

  /** Writes a recipe down, whatever was there under its id. @returns false when its fingerprint has too many. */
  async put(recipe: NewRecipe): Promise<boolean> {
    const boundTo = await this.redis.hget(this.keys.ward("recipe-ids"), recipe.recipe_id);
    if (boundTo !== null && boundTo !== recipe.fingerprint) {
      await this.redis.hdel(this.key(boundTo), recipe.recipe_id);
      await this.redis.hdel(this.keys.ward("recipe-ids"), recipe.recipe_id);
    }
    const present = await this.redis.hget(this.key(recipe.fingerprint), recipe.recipe_id);
    const kept = await this.keep(present ?? "", toStored(recipe), null);
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
      if (!this.mayRead(present)) return null;
      const changed = next(present);
      if (changed === null) return { recipe: present, isChanged: false };
      const stamp =
        did === null
          ? {}
          : {
              changed_by: did.by,
              changed_at: timestamp(),
              why: did.why,
              version: present.version + 1,
            };
      const proofs = changed.proofs.slice(0, PROOFS_MAX);
      const recipe = { ...changed, ...stamp, proofs, failed_on: changed.failed_on.slice(-PROOFS_MAX) };
      const detail = { from: present.state, to: recipe.state, proofs: recipe.proofs.length };
      const audit = did === null ? null : auditOf({ ...recipe, ...did, detail });
      const kept = await this.keep(text, recipe, audit);
      if (kept === "kept") return { recipe, isChanged: true };
    }
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
      keys: [this.keys.ward("audit"), this.auditKey(recipeId)],
      args: [JSON.stringify(entry), this.auditLength, AUDIT_OF_RECIPE_MAX],
    });
  }

  async of(fingerprint: string): Promise<StoredRecipe[]> {
    const found = (await this.redis.hvals(this.key(fingerprint))).flatMap((text) => readText(text) ?? []);
    return found.filter((recipe) => recipe.fingerprint === fingerprint && this.mayRead(recipe));
  }

  /** Whether somebody stands for it, as far as this process asks. */
  isGenuine(recipe: StoredRecipe): boolean {
    return this.sealer?.isGenuine(recipe) ?? true;
  }

  private mayRead(recipe: StoredRecipe): boolean {
    if (this.sealer === null || this.sealer.adopts || this.sealer.isGenuine(recipe)) return true;
    if (recipe.state === "trusted" || recipe.state === "trial") this.sealer.onForged(recipe);
    return false;
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

  private async keep(present: string, unsealed: StoredRecipe, audit: AuditEntry | null): Promise<Kept> {
    const recipe = this.sealer?.seal(unsealed) ?? unsealed;
    // Counted proofs change nothing for who applies it; that somebody stands for it now does.
    const isHeard = present === "" || audit !== null || !isSameToTheLadder(fromText(present), recipe);
    const reply = await keepRecipe.run(this.redis, {
      keys: [
        this.key(recipe.fingerprint),
        this.keys.ward("recipe-ids"),
        this.keys.ward("recipes"),
        this.versionKey,
        this.keys.ward("audit"),
        this.auditKey(recipe.recipe_id),
      ],
      args: [
        recipe.recipe_id,
        recipe.fingerprint,
        present,
        JSON.stringify(recipe),
        RECIPES_OF_FINGERPRINT_MAX,
        RECIPES_MAX,
        audit === null ? "" : JSON.stringify(audit),
        this.auditLength,
        isHeard ? "1" : "0",
        AUDIT_OF_RECIPE_MAX,
      ],
    });
    return reply === "kept" || reply === "full" ? reply : "stale";
  }

  private key(fingerprint: string): string {
    return this.keys.ward(`recipe:${fingerprint}`);
  }

  private auditKey(recipeId: string): string {
    return this.keys.ward(`recipe-audit:${recipeId}`);
  }
}

function isSameToTheLadder(one: StoredRecipe, other: StoredRecipe): boolean {
  return one.state === other.state && JSON.stringify(one.recipe) === JSON.stringify(other.recipe);
}

function auditOf(did: {
  readonly recipe_id: string;
  readonly fingerprint: string;
  readonly by: string;
  readonly action: string;
  readonly why?: string;
  readonly learned_from?: string | null;
  readonly detail: Readonly<Record<string, unknown>>;
}): AuditEntry {
  const { recipe_id, fingerprint, by, action, why = "", learned_from, detail } = did;
  return {
    case_id: learned_from ?? "",
    at: timestamp(),
    by,
    action,
    why,
    detail: { recipe_id, fingerprint, ...detail },
  };
}

function toStored(recipe: NewRecipe): StoredRecipe {
  return {
    learned_from: null,
    proofs: [],
    failures: 0,
    failed_on: [],
    changed_by: recipe.by,
    changed_at: recipe.at,
    why: "",
    version: 1,
    ...recipe,
  };
}

/** A recipe for a list; null for a text that is none: it serves nobody and hides no other. */
function readText(text: string): StoredRecipe | null {
  return isObjectWith(readJson(text), "recipe_id", "fingerprint", "state") ? fromText(text) : null;
}

/** Written by `keep`, perhaps by an older release, which knew less of a recipe. */
function fromText(text: string): StoredRecipe {
  return toStored(JSON.parse(text) as NewRecipe);
}
