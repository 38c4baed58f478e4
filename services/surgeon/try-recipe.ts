import { applyRecipe, isSameJson, placesNamed, validate, wordsRead } from "#shared/surgery";
import type { JsonValue, Recipe } from "#shared/surgery";
import type { Patient } from "./patient.ts";

/** What a recipe makes of one letter, still to be proved. */
export interface Tried {
  readonly value: JsonValue;
  /** As `wordsRead` gives them. */
  readonly words: ReadonlyMap<string, JsonValue>;
}

/**
 * Applies a recipe to a letter.
 *
 * @param value - What the letter says, in the one way it can be read.
 * @returns null where it does not apply: an operation refuses, nothing changes, or the letter holds a word that
 * the recipe does not know. That speaks for nobody and against nobody.
 */
export function tryRecipe(recipe: Recipe, patient: Pick<Patient, "schema">, value: JsonValue): Tried | null {
  const applied = applyRecipe(recipe, value);
  if (!applied.ok || isSameJson(applied.value, value)) return null;
  const maps = recipe.operations.filter((operation) => operation.op === "map_value");
  if (maps.length === 0) return { value: applied.value, words: new Map() };
  const read = new Set(maps.flatMap(({ path }) => placesNamed(applied.value, path)));
  const faults = validate(applied.value, patient.schema);
  if (faults.length > 0 && faults.every(({ path }) => read.has(path))) return null;
  return { value: applied.value, words: wordsRead(recipe, value) };
}
