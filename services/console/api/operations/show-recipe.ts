import { AbsentError } from "../../errors.ts";
import { findGroupView } from "../../ward/group-views.ts";
import type { Handler } from "../operation.ts";

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
