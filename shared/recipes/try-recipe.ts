import type { JsonSchema } from "#shared/contract";
import { parseTolerant } from "#shared/repair";
import { isSameJson, validate } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import { applyRecipe } from "./apply-recipe.ts";
import { placesNamed } from "./find-places.ts";
import { wordsRead } from "./read-words.ts";
import type { Recipe } from "./recipe.ts";

/** What a recipe makes of one letter, still to be proved. */
export interface Tried {
  readonly value: JsonValue;
  /** As `wordsRead` gives them. */
  readonly words: ReadonlyMap<string, JsonValue>;
}

/**
 * Applies a recipe to a letter.
 *
 * @param letter.value - What the letter says, in the one way it can be read.
 * @returns null where it does not apply: an operation refuses, nothing changes, or the letter holds a word that
 * the recipe does not know. That speaks for nobody and against nobody.
 */
export function tryRecipe(
  recipe: Recipe,
  letter: { readonly value: JsonValue; readonly schema: JsonSchema },
): Tried | null {
  const { value, schema } = letter;
  const applied = applyRecipe(recipe, value);
  if (!applied.ok || isSameJson(applied.value, value)) return null;
  const maps = recipe.operations.filter((operation) => operation.op === "map_value");
  if (maps.length === 0) return { value: applied.value, words: new Map() };
  const read = new Set(maps.flatMap(({ path }) => placesNamed(applied.value, path)));
  const faults = validate(applied.value, schema);
  if (faults.length > 0 && faults.every(({ path }) => read.has(path))) return null;
  return { value: applied.value, words: wordsRead(recipe, value) };
}

/** What recipes start from: a letter's value, or the only way in which its text can be read; else undefined. */
export function onlyReading(letter: {
  readonly text: string;
  readonly value: JsonValue | undefined;
}): JsonValue | undefined {
  if (letter.value !== undefined) return letter.value;
  const readings = parseTolerant(letter.text);
  return readings.length === 1 ? readings[0]?.value : undefined;
}
