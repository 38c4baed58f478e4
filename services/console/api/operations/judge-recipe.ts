import type { RecipeState } from "#shared/store";
import { auditAction } from "../guards/audit-action.ts";
import { operation } from "../operation.ts";
import { optionalWhyBody, recipeParams } from "./request-fields.ts";
import { getRecipe } from "./show-recipe.ts";

/** From now on the ladder applies it, without asking. */
export const approveRecipe = judge("approve", "trusted");

/** It is kept for the record and never applied. */
export const retireRecipe = judge("retire", "retired");

function judge(action: "approve" | "retire", state: RecipeState) {
  return operation({
    id: `${action}Recipe`,
    role: "admin",
    params: recipeParams,
    body: optionalWhyBody,
    async handle({ console: { store }, params, body, caller }) {
      const recipe = await getRecipe(store, params.recipe_id);
      const judged = { ...recipe, state };
      const { recipe_id, fingerprint } = recipe;
      const detail = { recipe_id, fingerprint, from: recipe.state };
      await auditAction(store, { by: caller.name, action: `recipe.${action}`, why: body.why, detail });
      await store.cases.recipes.put(judged);
      return judged;
    },
  });
}
