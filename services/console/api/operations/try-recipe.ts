import { AbsentError } from "../../errors.ts";
import { tryOnMessages } from "../../ward/try-on-messages.ts";
import type { Handler } from "../operation.ts";

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
