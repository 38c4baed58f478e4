import { createHash } from "node:crypto";
import { derivedId, timestamp } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { SURGEON_ID } from "#shared/envelope";
import { Concealer, sensitiveValues } from "#shared/masking";
import { deriveRecipe, isOfContract, joinRecipes, onlyReading, proveRecipes, Recipe } from "#shared/recipes";
import { canonical, isSameJson } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { StoredRecipe } from "#shared/store/cases";
import type { RepairContext } from "../cases/case.ts";
import type { Surgery } from "../surgery.ts";
import { trustIfProved, tryOnOpenCases } from "./judge-trial.ts";
import { producerOf } from "./recipe-cache.ts";

/** A repair that was proved, or that people decided. */
export interface AcceptedRepair {
  readonly value: JsonValue;
  /** A recipe that the proposer names, unchecked. Default: none. */
  readonly proposed?: unknown;
  /** `name@version` of the surgeon, or a person's name. */
  readonly by: string;
}

/**
 * Learns a recipe from an accepted repair, for messages of the same producer: takes the proposed recipe, or derives one
 * from the difference, and puts it on trial. Idempotent: called before the repair is sent, so that a redelivery after a
 * crash learns the same recipe once.
 *
 * @returns whether a recipe for this fingerprint is in use now.
 */
export async function learn(
  surgery: Surgery,
  context: RepairContext,
  repair: AcceptedRepair,
): Promise<boolean> {
  const { case_id, fingerprint } = context.stored;
  const { recipes } = surgery;
  const alone = chooseRecipe(context, repair);
  if (alone === null) return false;
  const known = await recipes.of(fingerprint);
  const producer = producerOf(context.message);
  const { recipe, replaced } = joinWithOwn(alone, known, producer);
  const recipeId = idOf(fingerprint, recipe);
  const at = timestamp();
  const { by } = repair;
  const why = "An accepted repair came to this.";
  await recipes.add({
    recipe_id: recipeId,
    fingerprint,
    state: "proposed",
    recipe,
    by,
    at,
    learned_from: case_id,
    taught_by: [producer],
    why,
  });
  crashPoint("W15:after_recipe_before_trial");
  const moved = await recipes.change(recipeId, (present) => toTrial(present, recipe, producer), {
    by: SURGEON_ID,
    action: "recipe.trial",
    why,
  });
  crashPoint("W15:after_trial_before_discharge");
  if (moved === null) {
    surgery.logger.warn({ fingerprint }, "a recipe was not kept: there are too many");
    return false;
  }
  if (moved.recipe.state !== "retired") for (const old of replaced) await recipes.remove(old);
  if (moved.recipe.state === "trial") {
    await tryOnOpenCases(surgery, { stored: moved.recipe, recipe });
    await trustIfProved(surgery, moved.recipe);
  }
  await surgery.recipeCache.refresh();
  return (await surgery.recipeCache.of(fingerprint)).length > 0;
}

/**
 * Joins a recipe with those on trial that were learned from the same producer alone, so that it also maps the words of
 * earlier messages. Returns the joined recipe, and the ids of those that it replaces.
 */
function joinWithOwn(
  alone: Recipe,
  known: readonly StoredRecipe[],
  producer: string,
): { readonly recipe: Recipe; readonly replaced: readonly string[] } {
  const replaced: string[] = [];
  let recipe = alone;
  const isOwn = ({ state, learned_from, taught_by }: StoredRecipe): boolean =>
    state === "trial" && learned_from !== null && taught_by.every((one) => one === producer);
  for (const old of known.filter(isOwn)) {
    const parsed = Recipe.safeParse(old.recipe);
    const joined = parsed.success ? joinRecipes(parsed.data, recipe) : undefined;
    if (!parsed.success || joined === undefined) continue;
    if (textOf(joined) !== textOf(parsed.data)) replaced.push(old.recipe_id);
    recipe = joined;
  }
  return { recipe, replaced: textOf(recipe) === textOf(alone) ? [] : replaced };
}

/** Puts a recipe on trial for one more producer. Null: it is so already, trusted, retired, or was edited since. */
function toTrial(present: StoredRecipe, learned: Recipe, producer: string): StoredRecipe | null {
  const { state, taught_by } = present;
  if (state !== "proposed" && (state !== "trial" || taught_by.includes(producer))) return null;
  const kept = Recipe.safeParse(present.recipe);
  if (!kept.success || textOf(kept.data) !== textOf(learned)) return null;
  return {
    ...present,
    state: "trial",
    taught_by: [...new Set([...taught_by, producer])],
    proofs: state === "proposed" ? [] : present.proofs,
  };
}

/**
 * Returns the first candidate that makes exactly the accepted repair, writes only what the contract declares, and
 * passes the stricter proof of recipes; null if none does.
 */
function chooseRecipe(context: RepairContext, repair: AcceptedRepair): Recipe | null {
  const before = onlyReading(context);
  if (before === undefined) return null;
  const { schema, sources } = context;
  const named = Recipe.safeParse(repair.proposed);
  const derived = deriveRecipe({
    before,
    after: repair.value,
    schema,
    elsewhere: [
      sources.original_query,
      JSON.stringify(sources.history),
      JSON.stringify(sources.input ?? null),
    ],
  });
  const candidates = [...(named.success ? [named.data] : []), ...(derived === undefined ? [] : [derived])];
  const personal = new Concealer(
    [before, repair.value].flatMap((value) => sensitiveValues(value, schema)),
    () => "",
  );
  const isGood = (recipe: Recipe): boolean => {
    // A recipe outlives its message and is shown to all roles, so it must hold no sensitive value.
    if (personal.inText(textOf(recipe)) !== textOf(recipe)) return false;
    const [tried] = isOfContract(recipe, schema) ? proveRecipes([{ recipe }], context) : [];
    return tried?.proof.passes === true && isSameJson(tried.value, repair.value);
  };
  return candidates.find(isGood) ?? null;
}

function idOf(fingerprint: string, recipe: Recipe): string {
  return derivedId("recipe", fingerprint, createHash("sha256").update(textOf(recipe)).digest("hex"));
}

function textOf(recipe: Recipe): string {
  // A recipe is JSON by its schema.
  return canonical(recipe as unknown as JsonValue);
}
