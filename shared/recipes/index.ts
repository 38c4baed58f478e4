export { applyRecipe } from "./apply-recipe.ts";
export { deriveRecipe } from "./derive-recipe.ts";
export { joinRecipes } from "./join-recipes.ts";
export { isOfContract } from "./judge-recipe.ts";
export { Recipe } from "./recipe.ts";
export { onlyReading, tryRecipe } from "./try-recipe.ts";
