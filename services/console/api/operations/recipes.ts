import { EVERY_PRODUCER, RECIPE_STATES } from "#shared/store/cases";
import type { StoredRecipe } from "#shared/store/cases";
import { AbsentError, ChangedMeanwhileError } from "../../errors.ts";
import { findGroupView } from "../../ward/group-views.ts";
import { tryOnMessages } from "../../ward/try-on-messages.ts";
import { hasGroup } from "../guards/confine-to-teams.ts";
import type { Handler } from "../../console.ts";

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

/** A recipe: how far it is believed, whose repair it was taken from, what it healed, its group, and who did what. */
export const showRecipe: Handler<"showRecipe"> = async ({ console, params: { recipe_id } }) => {
  const found = await console.recipes.find(recipe_id);
  if (found === null) throw new AbsentError("recipe");
  const [group, audit] = await Promise.all([
    findGroupView(console, found.fingerprint),
    console.recipes.audit(recipe_id),
  ]);
  return { ...found, group, audit };
};

/** Says what a recipe would do for the messages of its fingerprint that lie in the ward. Changes nothing. */
export const tryRecipe: Handler<"tryRecipe"> = async ({
  console,
  params: { recipe_id },
  body: { recipe },
  signal,
}) => {
  const found = await console.recipes.find(recipe_id);
  if (found === null) throw new AbsentError("recipe");
  return tryOnMessages(console, { fingerprint: found.fingerprint, recipe, signal });
};

/** From now on the ladder applies it, without asking; what spoke against it before counts no more. */
export const approveRecipe: Handler<"approveRecipe"> = (call) =>
  changeRecipe("approve", call, { state: "trusted", ...UNBLEMISHED });

/** It is kept for the record and never applied. */
export const retireRecipe: Handler<"retireRecipe"> = (call) =>
  changeRecipe("retire", call, { state: "retired", proofs: [] });

/**
 * Puts another text in a recipe's place. It is on trial then: a changed recipe has proved nothing yet. With `version`,
 * only if nobody changed it since that one.
 */
export const editRecipe: Handler<"editRecipe"> = (call) => {
  const { recipe } = call.body;
  return changeRecipe("edit", call, {
    recipe,
    state: "trial",
    taught_by: [EVERY_PRODUCER],
    proofs: [],
    ...UNBLEMISHED,
  });
};

const UNBLEMISHED = { failures: 0, failed_on: [], failures_of: {}, withheld_from: [] };

/** With `version`, only if the recipe is the one that its caller looked at. @throws {ChangedMeanwhileError} */
async function changeRecipe(
  action: "approve" | "retire" | "edit",
  { console: { recipes }, params, body: { why, version }, caller }: ChangeCall,
  change: Partial<StoredRecipe>,
): Promise<StoredRecipe> {
  const changed = await recipes.change(
    params.recipe_id,
    (present) => {
      if (version === undefined || version === present.version) return { ...present, ...change };
      throw new ChangedMeanwhileError({ what: "recipe", state: present.state, by: present.changed_by });
    },
    { by: caller.name, action: `recipe.${action}`, why },
  );
  if (changed === null) throw new AbsentError("recipe");
  return changed.recipe;
}

type ChangeCall = Pick<Parameters<Handler<"approveRecipe">>[0], "console" | "params" | "body" | "caller">;
