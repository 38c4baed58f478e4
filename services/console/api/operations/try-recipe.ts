import { z } from "zod";
import { Recipe } from "#shared/recipes";
import { AbsentError } from "../../errors.ts";
import { tryOnMessages } from "../../ward/try-on-messages.ts";
import { operation } from "../operation.ts";
import { recipeParams } from "./request-fields.ts";

/** Says what a recipe would do for the messages of its fingerprint that lie in the ward. Changes nothing. */
export const tryRecipe = operation({
  id: "tryRecipe",
  role: "operator",
  params: recipeParams,
  body: z.strictObject({ recipe: Recipe }),
  async handle({ console, params: { recipe_id }, body: { recipe }, signal }) {
    const found = await console.store.cases.recipes.find(recipe_id);
    if (found === null) throw new AbsentError("recipe");
    return tryOnMessages(console, { fingerprint: found.fingerprint, recipe, signal });
  },
});
