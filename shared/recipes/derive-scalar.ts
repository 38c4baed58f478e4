import { decimalOf, exactNumber } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import type { Change } from "./change.ts";
import { isListed } from "./contract-words.ts";
import type { RecipeOperation } from "./recipe.ts";

/** Longer texts are no words of a contract. */
const WORD_CHARS_MAX = 64;

/** Steps of first aid whose result is a member of the contract, whatever the text said. */
const CONTRACT_STEPS: readonly string[] = [
  "enum_exact",
  "enum_punctuation",
  "enum_case",
  "enum_accents",
  "enum_separators",
  "enum_synonym",
  "word_to_boolean",
];

/** Longest text that a recipe may look for to put a member of the contract in its place. */
const VOCABULARY = /^[\p{L}\p{M}]{1,20}(?:[ _-][\p{L}\p{M}]{1,20}){0,2}$/u;

/** Codes are small; what is larger is somebody's number. */
const CODE_MAX = 99;

/**
 * What turns one scalar into another: a change of type, or a word that stands for a member of the contract. A recipe
 * keeps the word it looks for, so that this may only be one of a vocabulary: nobody's sentence, name of ten words, or
 * number.
 */
export function deriveScalar(change: Change): RecipeOperation[] | undefined {
  const { before, after, path, ground } = change;
  if (!isScalar(before) || !isScalar(after)) return undefined;
  const to = coercion(before, after);
  if (to !== undefined) return [{ op: "coerce", path, to }];
  const isNoted = ground.notes.get(path)?.some((note) => CONTRACT_STEPS.includes(note.step)) === true;
  const isWord = typeof before !== "string" || before.length <= WORD_CHARS_MAX;
  const isContracts = (isNoted && isWord) || (isVocabulary(before) && isListed(change));
  return isContracts ? [{ op: "map_value", path, map: [{ from: before, to: after }] }] : undefined;
}

/** Whether a recipe may keep this as what it looks for. */
export function isVocabulary(value: JsonValue): boolean {
  if (typeof value === "string") return VOCABULARY.test(value.trim());
  return typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= CODE_MAX;
}

function isScalar(value: JsonValue): value is string | number | boolean | null {
  return typeof value !== "object" || value === null;
}

/** The type to which the interpreter's own coercion would turn the one into the other. */
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
