import type { Store, StoredRecipe } from "#shared/store";
import { AbsentError } from "../../errors.ts";
import { operation } from "../operation.ts";
import { recipeParams } from "./request-fields.ts";

export const showRecipe = operation({
  id: "showRecipe",
  role: "viewer",
  params: recipeParams,
  handle: ({ console, params }) => getRecipe(console.store, params.recipe_id),
});

/** @throws {AbsentError} */
export async function getRecipe(store: Store, recipeId: string): Promise<StoredRecipe> {
  const found = (await store.cases.recipes.list()).find((recipe) => recipe.recipe_id === recipeId);
  if (found === undefined) throw new AbsentError("recipe");
  return found;
}
