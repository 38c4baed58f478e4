import type { JsonSchema } from "#shared/contract";
import { canonical, isEmptyContainer, isObject } from "../json-value.ts";
import type { JsonValue } from "../json-value.ts";
import { stepsOf } from "./find-places.ts";
import { isVocabulary } from "./derive-scalar.ts";
import type { Recipe, RecipeOperation } from "./recipe.ts";

/** Parts of a schema that are looked at; of a larger one the rest declares nothing. */
const NODES_MAX = 20_000;
const DEPTH_MAX = 64;

/**
 * Whether everything that a recipe would write stands in the contract: names that it declares, values that it lists or
 * gives as defaults, marks without letters and digits. So nothing of the message that a recipe was made for can come
 * into another one, whoever proposed it. Pure and bounded.
 */
export function isOfContract(recipe: Recipe, schema: JsonSchema): boolean {
  const words = wordsOf(schema);
  return recipe.operations.every((operation) => isOperationOfContract(operation, words));
}

interface Words {
  readonly names: Set<string>;
  /** Members of enums, constants and defaults, in canonical form. */
  readonly listed: Set<string>;
  readonly defaults: Set<string>;
}

function isOperationOfContract(operation: RecipeOperation, { names, listed, defaults }: Words): boolean {
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

function wordsOf(schema: JsonSchema): Words {
  const words: Words = { names: new Set(), listed: new Set(), defaults: new Set() };
  let left = NODES_MAX;
  const walk = (node: unknown, depth: number): void => {
    left -= 1;
    if (left < 0 || depth > DEPTH_MAX) return;
    if (Array.isArray(node)) for (const item of node) walk(item, depth + 1);
    if (!isObject(node)) return;
    collect(node, words);
    for (const [key, inner] of Object.entries(node)) if (!VALUES.includes(key)) walk(inner, depth + 1);
  };
  walk(schema, 0);
  return words;
}

/** Keywords whose content is data, in which nothing is declared. */
const VALUES: readonly string[] = ["enum", "const", "default", "examples"];

function collect(node: Readonly<Record<string, JsonValue>>, words: Words): void {
  const properties = node["properties"];
  if (isObject(properties)) for (const name of Object.keys(properties)) words.names.add(name);
  const members = node["enum"];
  const listed = Array.isArray(members) ? members : "const" in node ? [node["const"] ?? null] : [];
  for (const member of listed) words.listed.add(canonical(member));
  const [only] = listed;
  if (listed.length === 1 && only !== undefined) words.defaults.add(canonical(only));
  if ("default" in node) words.defaults.add(canonical(node["default"] ?? null));
}
