import { z } from "zod";
import { RECIPE_STATES } from "#shared/store";
import { operation } from "../operation.ts";
import { idField } from "./request-fields.ts";

/** Every filter that is given must hold. */
export const listRecipes = operation({
  id: "listRecipes",
  role: "viewer",
  query: z.strictObject({
    state: z.enum(RECIPE_STATES).exactOptional(),
    fingerprint: idField.exactOptional(),
  }),
  async handle({ console, query: { state, fingerprint } }) {
    const recipes = await console.store.cases.recipes.list();
    return {
      recipes: recipes.filter(
        (recipe) =>
          (state === undefined || recipe.state === state) &&
          (fingerprint === undefined || recipe.fingerprint === fingerprint),
      ),
    };
  },
});
