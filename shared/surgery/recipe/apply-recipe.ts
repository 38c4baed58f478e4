import type { JsonValue } from "../json-value.ts";
import type { Recipe } from "./recipe.ts";
export type Applied = { readonly ok: true; readonly value: JsonValue } | { readonly ok: false; readonly reason: string };
export function applyRecipe(recipe: Recipe, value: JsonValue): Applied {
  void recipe; void value;
  return { ok: false, reason: "" };
}
