import { timestamp } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { SURGEON_ID } from "#shared/envelope";
import { joinRecipes, learnRecipe, Recipe, recipeIdOf, textOfRecipe } from "#shared/recipes";
import type { JsonValue } from "#shared/schema";
import type { StoredRecipe } from "#shared/store/cases";
import type { RepairContext } from "../cases/case.ts";
import type { Surgery } from "../surgery.ts";
import { trustedBy, trustIfProved, tryOnOpenCases } from "./judge-trial.ts";
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
 * @returns whether a recipe for this fingerprint is in use now. What was learned, or why nothing was, stands in the
 *   audit of the case.
 */
export async function learn(
  surgery: Surgery,
  context: RepairContext,
  repair: AcceptedRepair,
): Promise<boolean> {
  const { case_id, fingerprint } = context.stored;
  const { recipes, store } = surgery;
  const result = learnRecipe(context, repair);
  const note = (
    action: string,
    said: string,
    detail: Readonly<Record<string, unknown>> = {},
  ): Promise<void> =>
    store.cases.note({ case_id, at: timestamp(), by: SURGEON_ID, action, why: said, detail });
  if ("refusal" in result) {
    await note("recipe.none", result.refusal);
    return false;
  }
  const { recipe: alone } = result;
  const known = await recipes.of(fingerprint);
  const producer = producerOf(context.message);
  const { recipe, replaced } = joinWithOwn(alone, known, producer);
  const recipeId = recipeIdOf(fingerprint, recipe);
  const why = "An accepted repair came to this.";
  await recipes.add({
    recipe_id: recipeId,
    fingerprint,
    state: "trial",
    recipe,
    by: repair.by,
    at: timestamp(),
    learned_from: case_id,
    taught_by: [producer],
    why,
  });
  const moved = await recipes.change(
    recipeId,
    (present) => taughtAgain(surgery, present, { recipe, producer }),
    ({ state, proofs }) =>
      state === "trusted" ? trustedBy(proofs) : { by: SURGEON_ID, action: "recipe.trial", why },
  );
  crashPoint("W15:after_trial_before_discharge");
  if (moved === null) {
    surgery.logger.warn({ fingerprint }, "a recipe was not kept: there are too many");
    await note("recipe.none", "There are too many recipes: retire some.");
    return false;
  }
  if (moved.recipe.state !== "retired") for (const old of replaced) await recipes.remove(old);
  if (moved.recipe.state === "trial") {
    await tryOnOpenCases(surgery, { stored: moved.recipe, recipe });
  }
  await note("recipe.learn", why, { recipe_id: recipeId, state: moved.recipe.state });
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
    if (textOfRecipe(joined) !== textOfRecipe(parsed.data)) replaced.push(old.recipe_id);
    recipe = joined;
  }
  return { recipe, replaced: textOfRecipe(recipe) === textOfRecipe(alone) ? [] : replaced };
}

/** Puts a recipe on trial for one more producer. Null: it is so already, trusted, retired, or was edited since. */
function taughtAgain(
  surgery: Surgery,
  present: StoredRecipe,
  learned: { readonly recipe: Recipe; readonly producer: string },
): StoredRecipe | null {
  const { state, taught_by } = present;
  const { recipe, producer } = learned;
  if (state !== "proposed" && (state !== "trial" || taught_by.includes(producer))) return null;
  const kept = Recipe.safeParse(present.recipe);
  if (!kept.success || textOfRecipe(kept.data) !== textOfRecipe(recipe)) return null;
  return trustIfProved(surgery, {
    ...present,
    state: "trial",
    taught_by: [...new Set([...taught_by, producer])],
    proofs: state === "proposed" ? [] : present.proofs,
  });
}
