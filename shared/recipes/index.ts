export { applyRecipe } from "./apply-recipe.ts";
export { joinRecipes } from "./derive-recipe.ts";
export { learnRecipe, proposeByRecipes, proposeByRules, recipeIdOf, textOfRecipe } from "./free-repair.ts";
export type { FreeProposal } from "./free-repair.ts";
export { isOfContract, proveRecipes } from "./judge-recipe.ts";
export { Recipe } from "./recipe.ts";
