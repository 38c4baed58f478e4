import { AbsentError } from "../../errors.ts";
import { operation } from "../operation.ts";
import { recipeParams } from "./request-fields.ts";

/** A recipe with how far it is believed, whose repair it was taken from, and what it has healed. */
export const showRecipe = operation({
  id: "showRecipe",
  role: "viewer",
  params: recipeParams,
  async handle({ console, params }) {
    const found = await console.store.cases.recipes.find(params.recipe_id);
    if (found === null) throw new AbsentError("recipe");
    return found;
  },
});
