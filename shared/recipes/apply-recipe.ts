import { parseJson as parseJsonText } from "#shared/envelope/json";
import { stepsOf } from "#shared/json";
import { decimalOf, exactNumber } from "#shared/repair";
import { below, canonical, isObject, isWithinDepth } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import { Recipe } from "./recipe.ts";
import type { RecipeOperation } from "./recipe.ts";

type Applied =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly reason: string };

/** Maximum length of embedded JSON or of a split text, in UTF-16 units. */
const TEXT_CHARS_MAX = 262_144;
/** Maximum nesting of a value. */
const DEPTH_MAX = 200;
/** Maximum items of a split text. */
const ITEMS_MAX = 10_000;

/** Ends one application; its message is the operator's reason. Never leaves this file. */
class NotApplicable extends Error {}

/**
 * Applies a recipe to a copy of a value. Pure, total and bounded: an operation that does not apply refuses the whole;
 * one whose pointer names nothing does nothing, except `move`. @returns The new value, not yet validated.
 */
export function applyRecipe(recipe: Recipe, value: JsonValue): Applied {
  if (!isWithinDepth(value, DEPTH_MAX)) return { ok: false, reason: "the value is too deep" };
  if (!isRecipe(recipe)) return { ok: false, reason: "this is not a recipe" };
  // The root has a parent too, so that a pointer to the whole value needs no special case.
  const root: JsonObject = { root: structuredClone(value) };
  try {
    for (const operation of recipe.operations) applyOperation(root, operation);
    return { ok: true, value: root["root"] ?? null };
  } catch (error) {
    if (error instanceof NotApplicable) return { ok: false, reason: error.message };
    throw error;
  }
}

/** Validated recipes: one is applied to thousands of messages. */
const known = new WeakSet<Recipe>();

function isRecipe(recipe: Recipe): boolean {
  if (known.has(recipe)) return true;
  if (!Recipe.safeParse(recipe).success) return false;
  known.add(recipe);
  return true;
}

function locate(pointer: string): string[] {
  const steps = ["root", ...stepsOf(pointer)];
  if (steps.includes("__proto__")) throw new NotApplicable("a pointer names __proto__");
  return steps;
}

function matchesOf(root: JsonObject, pointer: string): PointerMatch[] {
  const matches = matchPointer(root, locate(pointer));
  if (matches.length > MATCHES_MAX) throw new NotApplicable("a pointer names too many places");
  return matches;
}

function applyOperation(root: JsonObject, operation: RecipeOperation): void {
  if (operation.op === "move") return move(root, operation);
  if (operation.op === "set_default") return setDefault(root, operation);
  for (const match of matchesOf(root, operation.path)) {
    if (operation.op === "delete") remove(match, operation.path);
    else if (operation.op === "rename") rename(match, operation.to);
    else write(match, changed(read(match), operation));
  }
}

type InPlace = Exclude<RecipeOperation, { op: "move" | "set_default" | "delete" | "rename" }>;

function changed(value: JsonValue, operation: InPlace): JsonValue {
  switch (operation.op) {
    case "wrap":
      return operation.in === "array" ? [value] : { [safeName(operation.in.key)]: value };
    case "unwrap":
      return unwrap(value, operation.key);
    case "coerce":
      return coerce(value, operation.to);
    case "map_value": {
      const found = operation.map.find(({ from }) => canonical(from) === canonical(value));
      return found === undefined ? value : found.to;
    }
    case "parse_json":
      return parseJson(value);
    case "split":
      return split(value, operation.by);
    case "join":
      return join(value, operation.by);
  }
}

function safeName(name: string): string {
  if (name === "__proto__") throw new NotApplicable("a name is __proto__");
  return name;
}

function rename({ parent, key }: PointerMatch, to: string): void {
  if (Array.isArray(parent)) throw new NotApplicable("rename: an item of a list has no name");
  if (key === to) return;
  if (Object.hasOwn(parent, safeName(to))) throw new NotApplicable("rename: the new name is taken");
  parent[to] = read({ parent, key });
  delete parent[key];
}

function remove({ parent, key }: PointerMatch, pointer: string): void {
  if (pointer === "") throw new NotApplicable("delete: the whole value cannot be deleted");
  if (Array.isArray(parent)) throw new NotApplicable("delete: items of a list are not dropped");
  delete parent[key];
}

function move(root: JsonObject, { from, path }: { from: string; path: string }): void {
  if (from.includes("*") || path.includes("*")) return moveWithin(root, { from, path });
  const [source] = matchesOf(root, from);
  if (source === undefined) throw new NotApplicable("move: nothing is there to be moved");
  if (path === from) return;
  if (path.startsWith(`${from}/`)) throw new NotApplicable("move: a value cannot go into itself");
  put(root, { source, steps: locate(path) });
}

/** With a wildcard on both sides a member moves within its item. */
function moveWithin(root: JsonObject, { from, path }: { from: string; path: string }): void {
  const [source, target] = [locate(from), locate(path)];
  const star = source.lastIndexOf("*");
  const isSameItem =
    star === target.lastIndexOf("*") &&
    source.slice(0, star + 1).join("/") === target.slice(0, star + 1).join("/");
  if (!isSameItem || star === source.length - 1)
    throw new NotApplicable("move: wildcards must be the same on both sides");
  for (const { parent, key } of matchPointer(root, source.slice(0, star + 1))) {
    const item: JsonObject = { root: read({ parent, key }) };
    const [match] = matchPointer(item, ["root", ...source.slice(star + 1)]);
    if (match !== undefined) put(item, { source: match, steps: ["root", ...target.slice(star + 1)] });
  }
}

function put(root: JsonObject, { source, steps }: { source: PointerMatch; steps: readonly string[] }): void {
  if (Array.isArray(source.parent)) throw new NotApplicable("move: items of a list are not taken out");
  const value = read(source);
  const key = steps.at(-1) ?? "";
  if (steps.length === 1) {
    root["root"] = value;
    return;
  }
  delete source.parent[source.key];
  const [parent] = matchParents(root, steps);
  if (!isObject(parent)) throw new NotApplicable("move: there is no object to move it into");
  if (Object.hasOwn(parent, key)) throw new NotApplicable("move: the place is taken");
  parent[key] = value;
}

function setDefault(root: JsonObject, { path, value }: { path: string; value: JsonValue }): void {
  const steps = locate(path);
  const key = steps.at(-1) ?? "";
  if (canonical(value).includes('"__proto__"')) throw new NotApplicable("set_default: a name is __proto__");
  for (const parent of matchParents(root, steps)) {
    if (isObject(parent) && key !== "*" && !Object.hasOwn(parent, key)) parent[key] = structuredClone(value);
  }
}

function unwrap(value: JsonValue, key: string | undefined): JsonValue {
  if (Array.isArray(value) && value.length === 1) return value[0] ?? null;
  const keys = isObject(value) ? Object.keys(value) : [];
  const [only] = keys;
  if (!isObject(value) || only === undefined || keys.length > 1 || (key !== undefined && key !== only)) {
    throw new NotApplicable("unwrap: not a container of exactly one value");
  }
  return value[only] ?? null;
}

function coerce(value: JsonValue, to: "string" | "number" | "integer" | "boolean"): JsonValue {
  if (to === "string" && (typeof value === "number" || typeof value === "boolean")) return String(value);
  if (typeof value === to) return value;
  if (to === "boolean" && typeof value === "string" && /^(?:true|false)$/i.test(value.trim()))
    return value.trim().toLowerCase() === "true";
  const decimal =
    typeof value === "string" || typeof value === "number" ? decimalOf(String(value).trim()) : undefined;
  const number =
    decimal === undefined || to === "string" || to === "boolean" ? undefined : exactNumber(decimal);
  if (number === undefined || (to === "integer" && !Number.isInteger(number)))
    throw new NotApplicable(`coerce: a value is no ${to}`);
  return number;
}

function text(value: JsonValue, op: string): string {
  if (typeof value !== "string" || value.length > TEXT_CHARS_MAX)
    throw new NotApplicable(`${op}: not a text of bearable length`);
  return value;
}

function parseJson(value: JsonValue): JsonValue {
  try {
    // Parsed JSON is a JSON value.
    const parsed = parseJsonText(text(value, "parse_json")) as JsonValue;
    if (!isWithinDepth(parsed, DEPTH_MAX)) throw new NotApplicable("parse_json: the value is too deep");
    if (canonical(parsed).includes('"__proto__"')) throw new NotApplicable("parse_json: a name is __proto__");
    return parsed;
  } catch (error) {
    if (error instanceof NotApplicable) throw error;
    throw new NotApplicable("parse_json: the text is no JSON");
  }
}

function split(value: JsonValue, by: string): JsonValue {
  const parts = text(value, "split").split(by, ITEMS_MAX + 1);
  if (parts.length > ITEMS_MAX) throw new NotApplicable("split: too many parts");
  return parts.map((part) => part.trim());
}

function join(value: JsonValue, by: string): JsonValue {
  if (!Array.isArray(value) || !value.every((item) => typeof item === "string"))
    throw new NotApplicable("join: not a list of texts");
  return value.join(by);
}

/** An existing member or item, by its parent. */
interface PointerMatch {
  readonly parent: JsonObject | JsonValue[];
  readonly key: string;
}

/** Maximum matches of a pointer with wildcards. */
const MATCHES_MAX = 10_000;

/** Finds the parents of a pointer's last step; `*` matches every item or member. Skips missing ones. */
function matchParents(root: JsonObject, steps: readonly string[]): (JsonObject | JsonValue[])[] {
  let parents: (JsonObject | JsonValue[])[] = [root];
  for (const step of steps.slice(0, -1)) {
    parents = parents
      .flatMap((parent) => keysOf(parent, step).map((key) => read({ parent, key })))
      .filter((value) => isObject(value) || Array.isArray(value))
      .slice(0, MATCHES_MAX + 1);
  }
  return parents;
}

/** Finds the existing members and items that a pointer matches. */
function matchPointer(root: JsonObject, steps: readonly string[]): PointerMatch[] {
  const last = steps.at(-1) ?? "";
  return matchParents(root, steps).flatMap((parent) => keysOf(parent, last).map((key) => ({ parent, key })));
}

/** Expands a pointer with wildcards to the existing pointers without. */
export function expandPointer(value: JsonValue, pointer: string): string[] {
  let found: { readonly path: string; readonly value: JsonValue }[] = [{ path: "", value }];
  for (const step of stepsOf(pointer)) {
    found = found
      .flatMap(({ path, value: parent }) =>
        isObject(parent) || Array.isArray(parent)
          ? keysOf(parent, step).map((key) => ({ path: below(path, key), value: read({ parent, key }) }))
          : [],
      )
      .slice(0, MATCHES_MAX);
  }
  return found.map(({ path }) => path);
}

function keysOf(parent: JsonObject | JsonValue[], step: string): string[] {
  if (step === "*") return Object.keys(parent);
  return Object.hasOwn(parent, step) && !(Array.isArray(parent) && step === "length") ? [step] : [];
}

function read({ parent, key }: PointerMatch): JsonValue {
  // An array's index is an own key.
  return (parent as JsonObject)[key] ?? null;
}

function write({ parent, key }: PointerMatch, value: JsonValue): void {
  // As in read(): for an array the key is an existing index.
  (parent as JsonObject)[key] = value;
}
