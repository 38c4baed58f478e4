import { RECIPE_STATES } from "#shared/store/cases";
import { hasGroup } from "../guards/confine-to-teams.ts";
import type { Handler } from "../operation.ts";

/**
 * Recipes, the one that was changed last first. Every filter that is given must hold; `counts` are of those that meet
 * all filters but the state, and without `limit` all are listed.
 */
export const listRecipes: Handler<"listRecipes"> = async ({
  console,
  query: { state, fingerprint, text, limit, offset },
  caller: { teams },
}) => {
  const wanted = text?.toLowerCase() ?? "";
  const found = (await console.recipes.list()).filter(
    (recipe) =>
      (teams === null || hasGroup(console, recipe.fingerprint)) &&
      (fingerprint === undefined || recipe.fingerprint === fingerprint) &&
      `${recipe.fingerprint}\n${recipe.recipe_id}\n${recipe.by}`.toLowerCase().includes(wanted),
  );
  const listed = found
    .filter((recipe) => state === undefined || recipe.state === state)
    .toSorted((a, b) => b.changed_at.localeCompare(a.changed_at));
  const counts = Object.fromEntries(
    RECIPE_STATES.map((one) => [one, found.filter((recipe) => recipe.state === one).length]),
  );
  const end = limit === undefined ? listed.length : offset + limit;
  return { recipes: listed.slice(offset, end), total: listed.length, counts };
};
