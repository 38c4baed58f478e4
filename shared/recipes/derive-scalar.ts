import { decimalOf, exactNumber } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import type { Change } from "./change.ts";
import { isListed } from "./contract-words.ts";
import type { RecipeOperation } from "./recipe.ts";

/** Longer texts are no enum words. */
const WORD_CHARS_MAX = 64;

/** First-aid steps that yield an enum member, whatever the text. */
const CONTRACT_STEPS: readonly string[] = [
  "enum_exact",
  "enum_punctuation",
  "enum_case",
  "enum_accents",
  "enum_separators",
  "enum_synonym",
  "word_to_boolean",
];

/** Longest word that a recipe may map to an enum member. */
const VOCABULARY = /^[\p{L}\p{M}]{1,20}(?:[ _-][\p{L}\p{M}]{1,20}){0,2}$/u;

/** Larger numbers are data, not codes. */
const CODE_MAX = 99;

/**
 * Derives a type change, or a mapping of a word to an enum member. A recipe stores the word, so only vocabulary is
 * allowed: no sentence, list of words, or large number.
 */
export function deriveScalar(change: Change): RecipeOperation[] | undefined {
  const { before, after, path, derivation } = change;
  if (!isScalar(before) || !isScalar(after)) return undefined;
  const to = coercion(before, after);
  if (to !== undefined) return [{ op: "coerce", path, to }];
  const isNoted = derivation.notes.get(path)?.some((note) => CONTRACT_STEPS.includes(note.step)) === true;
  const isWord = typeof before !== "string" || before.length <= WORD_CHARS_MAX;
  const isContracts = (isNoted && isWord) || (isVocabulary(before) && isListed(change));
  return isContracts ? [{ op: "map_value", path, map: [{ from: before, to: after }] }] : undefined;
}

/** Returns true for a word that a recipe may store. */
export function isVocabulary(value: JsonValue): boolean {
  if (typeof value === "string") return VOCABULARY.test(value.trim());
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= CODE_MAX;
}

function isScalar(value: JsonValue): value is string | number | boolean | null {
  return typeof value !== "object" || value === null;
}

/** The type to which the interpreter's coercion converts a value. */
export function coercion(
  before: string | number | boolean | null,
  after: string | number | boolean | null,
): "string" | "number" | "boolean" | undefined {
  if (typeof after === "string" && typeof before !== "string" && before !== null)
    return String(before) === after ? "string" : undefined;
  if (typeof before !== "string") return undefined;
  const text = before.trim();
  if (typeof after === "boolean") return text.toLowerCase() === String(after) ? "boolean" : undefined;
  const decimal = typeof after === "number" ? decimalOf(text) : undefined;
  return decimal !== undefined && exactNumber(decimal) === after ? "number" : undefined;
}
