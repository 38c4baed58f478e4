import { stepsOf } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { parseTolerant } from "#shared/repair";
import {
  canonical,
  isEmptyContainer,
  isSameJson,
  leavesOf,
  literalsOf,
  validate,
  valueAt,
} from "#shared/schema";
import type { ContractLiterals, JsonValue } from "#shared/schema";
import { applyRecipe, expandPointer } from "./apply-recipe.ts";
import { isVocabulary } from "./derive-scalar.ts";
import type { Recipe, RecipeOperation } from "./recipe.ts";

/** Returns true when all that a recipe writes comes from the contract, so that no message's data reaches another. */
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

/** A recipe's result for one message, not yet proved. */
interface Tried {
  readonly value: JsonValue;
  /** Result of `wordsRead`. */
  readonly words: ReadonlyMap<string, JsonValue>;
}

/**
 * Applies a recipe to a message's only reading, `message.value`.
 * @returns null when it does not apply, which counts neither for nor against the recipe.
 */
export function tryRecipe(
  recipe: Recipe,
  message: { readonly value: JsonValue; readonly schema: JsonSchema },
): Tried | null {
  const { value, schema } = message;
  const applied = applyRecipe(recipe, value);
  if (!applied.ok || isSameJson(applied.value, value)) return null;
  const maps = recipe.operations.filter((operation) => operation.op === "map_value");
  if (maps.length === 0) return { value: applied.value, words: new Map() };
  const read = new Set(maps.flatMap(({ path }) => expandPointer(applied.value, path)));
  const faults = validate(applied.value, schema);
  if (faults.length > 0 && faults.every(({ path }) => read.has(path))) return null;
  return { value: applied.value, words: wordsRead(recipe, value) };
}

/** Returns a message's value, or the only reading of its text; else undefined. */
export function onlyReading(message: {
  readonly text: string;
  readonly value: JsonValue | undefined;
}): JsonValue | undefined {
  if (message.value !== undefined) return message.value;
  const readings = parseTolerant(message.text);
  return readings.length === 1 ? readings[0]?.value : undefined;
}

/** The words that a recipe replaces by members, by the pointer of each member: the proof checks them. */
function wordsRead(recipe: Recipe, value: JsonValue): ReadonlyMap<string, JsonValue> {
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
