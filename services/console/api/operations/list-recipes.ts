import { operation } from "../operation.ts";

export const listRecipes = operation({
  id: "listRecipes",
  role: "viewer",
  handle: async ({ console }) => ({ recipes: await console.store.cases.recipes.list() }),
});
