import { isDeepStrictEqual } from "node:util";
import { canonical } from "#shared/schema";
import { OPERATIONS_MAX } from "./recipe.ts";
import type { Recipe, RecipeOperation } from "./recipe.ts";

type MapOperation = Extract<RecipeOperation, { op: "map_value" }>;

/**
 * Merges two recipes that differ in their word maps only, because each message shows a few words. Pure.
 * @returns undefined when they differ otherwise, or map one word to two members.
 */
export function joinRecipes(one: Recipe, other: Recipe): Recipe | undefined {
  const rest = (recipe: Recipe): RecipeOperation[] =>
    recipe.operations.filter(({ op }) => op !== "map_value");
  if (!isDeepStrictEqual(rest(one), rest(other))) return undefined;
  const maps = [...one.operations, ...other.operations].filter((operation) => operation.op === "map_value");
  if (maps.length === 0) return undefined;
  const joined = new Map<string, MapOperation>();
  for (const map of maps) {
    const known = joined.get(map.path);
    const pairs = known === undefined ? [] : [...known.map];
    for (const pair of map.map) {
      const before = pairs.find(({ from }) => canonical(from) === canonical(pair.from));
      if (before !== undefined && canonical(before.to) !== canonical(pair.to)) return undefined;
      if (before === undefined) pairs.push(pair);
    }
    joined.set(map.path, { ...map, map: pairs });
  }
  const operations = [...rest(one), ...joined.values()];
  return operations.length > OPERATIONS_MAX ? undefined : { version: 1, operations };
}
