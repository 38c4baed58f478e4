import { isSameJson, leavesOf, valueAt } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { applyRecipe } from "./apply-recipe.ts";
import type { Recipe, RecipeOperation } from "./recipe.ts";

/**
 * Returns the message's words that a recipe maps to enum members, by the member's final pointer, for the proof to
 * check.
 */
export function wordsRead(recipe: Recipe, value: JsonValue): ReadonlyMap<string, JsonValue> {
  const maps = recipe.operations.filter((operation) => operation.op === "map_value");
  const read = new Map<string, JsonValue>();
  if (maps.length === 0) return read;
  const mapped = applyRecipe(recipe, value);
  const unmapped = withoutMaps(recipe, value);
  if (!mapped.ok || unmapped === undefined) return read;
  for (const { path, steps, value: to } of leavesOf(mapped.value)) {
    const from = valueAt(unmapped, steps);
    if (from === undefined || isSameJson(from, to)) continue;
    if (maps.some(({ map }) => map.some((pair) => isSameJson(pair.from, from) && isSameJson(pair.to, to))))
      read.set(path, from);
  }
  return read;
}

function withoutMaps({ version, operations }: Recipe, value: JsonValue): JsonValue | undefined {
  const others: RecipeOperation[] = operations.filter((operation) => operation.op !== "map_value");
  if (others.length === 0) return value;
  const applied = applyRecipe({ version, operations: others }, value);
  return applied.ok ? applied.value : undefined;
}
