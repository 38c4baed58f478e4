export { applyRecipe } from "./apply-recipe.ts";
export { deriveRecipe, joinRecipes } from "./derive-recipe.ts";
export { isOfContract, onlyReading, proveRecipes } from "./judge-recipe.ts";
export { Recipe } from "./recipe.ts";
