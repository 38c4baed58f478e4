import { isDeepStrictEqual } from "node:util";
import { parseJson } from "#shared/envelope/json";
import type { JsonSchema } from "#shared/json";
import type { Note } from "#shared/repair";
import { below, canonical, isObject, isWithinDepth, Places } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import { applyRecipe } from "./apply-recipe.ts";
import { compareMembers } from "./derive-members.ts";
import { deriveScalar } from "./derive-scalar.ts";
import { isNoted, OPERATIONS_MAX } from "./recipe.ts";
import type { Change, Recipe, RecipeOperation, Steps } from "./recipe.ts";

/** Maximum nesting. Deeper faults, and lists of differing items, are not systematic. */
const DEPTH_MAX = 64;
const ITEMS_MAX = 2000;

/** Maximum comparisons of one derivation. */
const WORK_MAX = 100_000;

/**
 * Derives a recipe from one repair: names, places, wrappers, types and embedded JSON that differ, with list indices
 * generalised to `*`. Pure, total and bounded.
 *
 * A recipe never carries a fact of one message into another: it writes no values but those that the contract itself
 * lists (a member of an enum, a boolean, a declared default), as the notes or the schema say. Whatever else differs
 * makes it undefined.
 *
 * @param repair.before - The value as it arrived.
 * @param repair.after - The accepted repair.
 * @param repair.notes - What first aid noted. Default: nothing.
 * @param repair.schema - The contract's. Without it, and without notes, no literal is ever taken over.
 * @param repair.elsewhere - Other texts that the repair may have taken values from. What stands there as well is no
 * evidence of a renamed member, if it is short. Default: none.
 * @returns A recipe that, applied to `before`, gives exactly `after`; undefined where there is none, or nothing
 * to change.
 * @example deriveRecipe({ before: { Qty: "2" }, after: { qty: 2 }, notes: [] });
 */
export function deriveRecipe(repair: {
  readonly before: JsonValue;
  readonly after: JsonValue;
  readonly notes?: readonly Note[];
  readonly schema?: JsonSchema;
  readonly elsewhere?: readonly string[];
}): Recipe | undefined {
  const { before, after, schema, notes = [], elsewhere = [] } = repair;
  if (!isWithinDepth(before, DEPTH_MAX) || !isWithinDepth(after, DEPTH_MAX)) return undefined;
  const derivation = {
    notes: Map.groupBy(notes, (note) => note.path.replaceAll(/\/\d+(?=\/|$)/g, "/*")),
    contract: schema === undefined ? undefined : { places: new Places(after, schema), schema },
    elsewhere,
    work: { left: WORK_MAX },
    compare,
  };
  const operations = compare({ before, after, path: "", steps: [], derivation });
  if (operations === undefined || operations.length === 0 || operations.length > OPERATIONS_MAX)
    return undefined;
  const recipe: Recipe = { version: 1, operations };
  const applied = applyRecipe(recipe, before);
  return applied.ok && canonical(applied.value) === canonical(after) ? recipe : undefined;
}

function compare(change: Change): Steps {
  const { before, after, path, derivation } = change;
  derivation.work.left -= 1;
  if (derivation.work.left < 0) return undefined;
  if (canonical(before) === canonical(after)) return [];
  if (typeof before === "string" && typeof after === "object" && after !== null)
    return fromText(change, before);
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    const inner = compareItems(change, { before, after });
    if (inner !== undefined) return inner;
  }
  if (isObject(before) && isObject(after)) {
    const inner = compareMembers(change, { before, after });
    if (inner !== undefined) return inner;
  }
  if (Array.isArray(after) && after.length === 1 && !Array.isArray(before))
    return prepend({ op: "wrap", path, in: "array" }, compareItems(change, { before: [before], after }));
  if (Array.isArray(before) && before.length === 1)
    return prepend({ op: "unwrap", path }, compare({ ...change, before: before[0] ?? null }));
  if (isObject(before)) return outOfEnvelope(change, before) ?? wrapped(change);
  return wrapped(change) ?? deriveScalar(change);
}

function prepend(first: RecipeOperation, rest: Steps): Steps {
  return rest === undefined ? undefined : [first, ...rest];
}

/** Embedded JSON, or a list with a separator. */
function fromText(change: Change, text: string): Steps {
  const { path, after } = change;
  const parsed = parse(text);
  if (parsed !== undefined)
    return prepend({ op: "parse_json", path }, compare({ ...change, before: parsed }));
  if (!Array.isArray(after)) return wrapped(change);
  const by = [",", ";", "|", "\n"].find((mark) => {
    const parts = text.split(mark).map((part) => part.trim());
    return parts.length > 1 && canonical(parts) === canonical(after);
  });
  if (by !== undefined) return [{ op: "split", path, by }];
  return after.length === 1
    ? prepend({ op: "wrap", path, in: "array" }, compareItems(change, { before: [text], after }))
    : undefined;
}

function parse(text: string): JsonValue | undefined {
  try {
    // Parsed JSON is a JSON value.
    const value = parseJson(text) as JsonValue;
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Items of one list share their operations: what one needs is applied to all, and verified on all. */
function compareItems(
  change: Change,
  { before, after }: { before: readonly JsonValue[]; after: readonly JsonValue[] },
): Steps {
  if (before.length > ITEMS_MAX) return undefined;
  const all: RecipeOperation[] = [];
  for (const [index, item] of before.entries()) {
    const steps = compare({
      ...change,
      before: item,
      after: after[index] ?? null,
      path: `${change.path}/*`,
      steps: [...change.steps, String(index)],
    });
    if (steps === undefined) return undefined;
    for (const step of steps) addStep(all, step);
  }
  return all;
}

/** Adds an operation once; merges value maps of one path. */
function addStep(all: RecipeOperation[], step: RecipeOperation): void {
  const at = all.findIndex(
    (one) => one.op === step.op && "path" in one && "path" in step && one.path === step.path,
  );
  const known = all[at];
  if (known?.op === "map_value" && step.op === "map_value") {
    const map = [
      ...known.map,
      ...step.map.filter((pair) => !known.map.some(({ from }) => from === pair.from)),
    ];
    all[at] = { ...known, map };
  } else if (!all.some((one) => isDeepStrictEqual(one, step))) all.push(step);
}

/** Unwraps an answer that stood alone, or among undeclared labels. */
function outOfEnvelope(change: Change, before: JsonObject): Steps {
  const keys = Object.keys(before);
  const isSaid = ["unwrapped", "list_unwrapped"].some((step) => isNoted(change, { path: change.path, step }));
  // The siblings are lost with the envelope, so the repair must have unwrapped it explicitly.
  if (keys.length > 1 && (!isSaid || change.path !== "")) return undefined;
  for (const key of keys) {
    const step: RecipeOperation =
      keys.length === 1
        ? { op: "unwrap", path: change.path, key }
        : { op: "move", from: below(change.path, key), path: change.path };
    const rest = compare({ ...change, before: before[key] ?? null });
    // Replacing one wrapper by another is a rename without evidence.
    const isRewrapped = rest?.[0]?.op === "wrap";
    if (rest !== undefined && !isRewrapped) return [step, ...rest];
  }
  return undefined;
}

/** Wraps a value under a missing only name. */
function wrapped(change: Change): Steps {
  if (!isObject(change.after)) return undefined;
  const [key, ...others] = Object.keys(change.after);
  if (key === undefined || others.length > 0) return undefined;
  const inner = compare({
    ...change,
    after: change.after[key] ?? null,
    path: below(change.path, key),
    steps: [...change.steps, key],
  });
  // Removing a wrapper just added is a rename without evidence.
  if (inner?.[0]?.op === "unwrap") return undefined;
  return prepend({ op: "wrap", path: change.path, in: { key } }, inner);
}

type MapOperation = Extract<RecipeOperation, { op: "map_value" }>;

/** Merges recipes that differ in word maps only. @returns undefined when they differ otherwise, or contradict. */
export function joinRecipes(one: Recipe, other: Recipe): Recipe | undefined {
  const rest = (recipe: Recipe): RecipeOperation[] =>
    recipe.operations.filter(({ op }) => op !== "map_value");
  if (!isDeepStrictEqual(rest(one), rest(other))) return undefined;
  const maps = [...one.operations, ...other.operations].filter((operation) => operation.op === "map_value");
  if (maps.length === 0) return undefined;
  const joined = new Map<string, MapOperation>();
  for (const map of maps) {
    const known = joined.get(map.path);
    const pairs = known === undefined ? [] : [...known.map];
    for (const pair of map.map) {
      const before = pairs.find(({ from }) => canonical(from) === canonical(pair.from));
      if (before !== undefined && canonical(before.to) !== canonical(pair.to)) return undefined;
      if (before === undefined) pairs.push(pair);
    }
    joined.set(map.path, { ...map, map: pairs });
  }
  const operations = [...rest(one), ...joined.values()];
  return operations.length > OPERATIONS_MAX ? undefined : { version: 1, operations };
}
