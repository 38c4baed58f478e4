import { timestamp } from "#shared/clock";
import { SURGEON_ID } from "#shared/envelope";
import type { RecipeProblem, RecipeStore, StoredRecipe } from "#shared/store/cases";
import { signedRecipes } from "#shared/ward/decisions";
import type { Surgery } from "../surgery.ts";

/** Recipes remembered as reported, at most. */
const REPORTED_MAX = 1000;

const REFUSED: Readonly<Record<RecipeProblem, string>> = {
  unsigned: "Nobody signed it, so that it is not applied.",
  outdated: "It is older than what was decided of it since, so that it is not applied.",
};

/**
 * Returns the ward's recipes, signed as the surgeon's when written. Recipes without a valid signature are skipped, and
 * each is reported once: in the log, the metrics and the recipe's audit.
 */
export function openRecipes({
  store,
  keyring,
  logger,
  metrics,
}: Pick<Surgery, "store" | "keyring" | "logger" | "metrics">): RecipeStore {
  const reported = new Set<string>();
  const onForged = (recipe: StoredRecipe, problem: RecipeProblem): void => {
    const { recipe_id, fingerprint } = recipe;
    if (reported.has(recipe_id) || reported.size >= REPORTED_MAX) return;
    reported.add(recipe_id);
    logger.error({ recipe_id, fingerprint, problem }, "a recipe that nobody stands for is not applied");
    metrics?.refusedDecisions.add({ about: "recipe" });
    const why = `${REFUSED[problem]} An admin who approves it stands for it.`;
    const entry = { case_id: "", at: timestamp(), by: SURGEON_ID, action: "recipe.refused", why, detail: {} };
    recipes.note(recipe_id, entry).catch((error: unknown) => {
      logger.warn({ err: error, recipe_id }, "that a recipe is not applied could not be written down");
    });
  };
  const recipes = signedRecipes(store, { keyring, signer: "surgeon", onForged });
  return recipes;
}
