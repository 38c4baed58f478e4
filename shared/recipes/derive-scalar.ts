import type { JsonSchema } from "#shared/json";
import { decimalOf, exactNumber } from "#shared/repair";
import { below, canonical, enumOf, isListedIn, isSameJson } from "#shared/schema";
import type { JsonValue, SchemaAt } from "#shared/schema";
import type { Change, RecipeOperation } from "./recipe.ts";

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

/** Derives a type change, or a mapping of a word to an enum member; only vocabulary: no sentence, list or number. */
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
function coercion(
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

/** Cost of one contract lookup, in comparisons: a union validates the value against each alternative. */
const LOOK_COST = 50;

function at({ derivation, steps }: Change, key: string | null): SchemaAt | undefined {
  const { contract, work } = derivation;
  work.left -= LOOK_COST;
  if (contract === undefined || work.left < 0) return undefined;
  const all = key === null ? steps : [...steps, key];
  return contract.places.schemaAt({ path: all.reduce(below, ""), steps: all });
}

/** Returns true for a member that a closed contract does not declare, so that it may be removed. */
export function isUndeclared(change: Change, key: string): boolean {
  return (
    change.derivation.contract !== undefined &&
    at(change, key) === undefined &&
    change.derivation.work.left >= 0
  );
}

/** Returns true for a member's declared default. An empty container holds no fact. */
export function isDefault(change: Change, key: string): boolean {
  const { contract } = change.derivation;
  const place = at(change, key);
  if (contract === undefined || place === undefined) return false;
  const value = valueOf(change.after, key);
  return value !== undefined && isDeclaredDefault(value, place.schema, contract.schema);
}

/** Returns true for a declared default, the only allowed value, or an empty container. */
function isDeclaredDefault(value: JsonValue, schema: JsonSchema, root: JsonSchema): boolean {
  if ("default" in schema && isSameJson(value, schema["default"])) return true;
  const members = enumOf(schema, root);
  return members === undefined ? isEmpty(value) : members.length === 1 && isSameJson(value, members[0]);
}

/** Returns true for an empty list or object. */
export function isEmpty(value: JsonValue): boolean {
  return ["[]", "{}"].includes(canonical(value));
}

/** Returns true for an enum member or a boolean. */
function isListed(change: Change): boolean {
  const { contract } = change.derivation;
  const place = at(change, null);
  if (contract === undefined || place === undefined) return false;
  return isListedIn(change.after, place.schema, contract.schema);
}

function valueOf(value: JsonValue, key: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
