import { stepsOf } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { proveRepair } from "#shared/proof";
import type { Proof, ProofSubject } from "#shared/proof";
import { parseTolerant } from "#shared/repair";
import { canonical, isSameJson, leavesOf, literalsOf, validate, valueAt } from "#shared/schema";
import type { ContractLiterals, JsonValue } from "#shared/schema";
import { applyRecipe, expandPointer } from "./apply-recipe.ts";
import { isEmpty, isVocabulary } from "./derive-scalar.ts";
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
      return isEmpty(operation.value) || defaults.has(canonical(operation.value));
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

/** Applies recipes to a message, and proves what each makes of it; one that does not apply is no result. */
export function proveRecipes<One extends { readonly recipe: Recipe }>(
  recipes: readonly One[],
  message: ProofSubject,
): readonly { readonly by: One; readonly value: JsonValue; readonly proof: Proof }[] {
  const reading = recipes.length === 0 ? undefined : onlyReading(message);
  if (reading === undefined) return [];
  return recipes.flatMap((by) => {
    const applied = applyRecipe(by.recipe, reading);
    if (!applied.ok || isSameJson(applied.value, reading)) return [];
    const { value } = applied;
    const maps = by.recipe.operations.filter((operation) => operation.op === "map_value");
    const read = new Set(maps.flatMap(({ path }) => expandPointer(value, path)));
    const faults = read.size === 0 ? [] : validate(value, message.schema);
    if (faults.length > 0 && faults.every(({ path }) => read.has(path))) return [];
    const words = maps.length === 0 ? undefined : wordsRead(by.recipe, { before: reading, after: value });
    const proposed = { value, provenAs: "recipe" as const, ...(words === undefined ? {} : { words }) };
    return [{ by, value, proof: proveRepair(message, proposed) }];
  });
}

/** Returns a message's value, or the only reading of its text; else undefined. */
export function onlyReading(message: {
  readonly text: string;
  readonly value?: JsonValue | undefined;
}): JsonValue | undefined {
  if (message.value !== undefined) return message.value;
  const readings = parseTolerant(message.text);
  return readings.length === 1 ? readings[0]?.value : undefined;
}

/** The words that a recipe replaces by members, by the pointer of each member: the proof checks them. */
function wordsRead(
  recipe: Recipe,
  { before, after }: { readonly before: JsonValue; readonly after: JsonValue },
): ReadonlyMap<string, JsonValue> {
  const maps = recipe.operations.filter((operation) => operation.op === "map_value");
  const read = new Map<string, JsonValue>();
  const unmapped = withoutMaps(recipe, before);
  if (unmapped === undefined) return read;
  for (const { path, steps, value: to } of leavesOf(after)) {
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
