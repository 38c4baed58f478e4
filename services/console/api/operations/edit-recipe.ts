import { z } from "zod";
import { Recipe } from "#shared/surgery";
import { AbsentError } from "../../errors.ts";
import { operation } from "../operation.ts";
import { recipeParams, whyField } from "./request-fields.ts";

/** Puts another text in a recipe's place. It is on trial then: a changed recipe has proved nothing yet. */
export const editRecipe = operation({
  id: "editRecipe",
  role: "admin",
  params: recipeParams,
  body: z.strictObject({ recipe: Recipe, why: whyField }),
  async handle({ console: { store }, params, body: { recipe, why }, caller }) {
    const edited = await store.cases.recipes.change(
      params.recipe_id,
      (present) => ({ ...present, recipe, state: "trial", proofs: [], failures: 0, failed_on: [] }),
      { by: caller.name, action: "recipe.edit", why },
    );
    if (edited === null) throw new AbsentError("recipe");
    return edited.recipe;
  },
});
