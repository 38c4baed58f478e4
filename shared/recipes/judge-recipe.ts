import type { JsonSchema } from "#shared/json";
import { stepsOf } from "#shared/json";
import { canonical, isEmptyContainer, literalsOf } from "#shared/schema";
import type { ContractLiterals } from "#shared/schema";
import { isVocabulary } from "./derive-scalar.ts";
import type { Recipe, RecipeOperation } from "./recipe.ts";

/**
 * Returns true when everything that a recipe writes comes from the contract: declared names, listed values or
 * defaults, separators without letters and digits. So no message's data reaches another one. Pure and bounded.
 */
export function isOfContract(recipe: Recipe, schema: JsonSchema): boolean {
  const words = literalsOf(schema);
  return recipe.operations.every((operation) => isOperationOfContract(operation, words));
}

function isOperationOfContract(
  operation: RecipeOperation,
  { names, listed, defaults }: ContractLiterals,
): boolean {
  const isName = (name: string): boolean => names.has(name) || name === "*" || /^\d+$/.test(name);
  switch (operation.op) {
    case "rename":
      return names.has(operation.to);
    case "move":
      return stepsOf(operation.path).every(isName);
    case "wrap":
      return operation.in === "array" || names.has(operation.in.key);
    case "set_default":
      return isEmptyContainer(operation.value) || defaults.has(canonical(operation.value));
    case "map_value":
      return operation.map.every(
        ({ from, to }) =>
          (from === null || typeof from === "boolean" || isVocabulary(from) || listed.has(canonical(from))) &&
          (typeof to === "boolean" || listed.has(canonical(to))),
      );
    case "split":
    case "join":
      return !/[\p{L}\p{N}]/u.test(operation.by);
    case "unwrap":
    case "coerce":
    case "delete":
    case "parse_json":
      return true;
    default:
      return operation satisfies never;
  }
}
