import { parseJson as parseJsonText } from "#shared/envelope/json";
import { stepsOf } from "#shared/json";
import { decimalOf, exactNumber } from "#shared/repair";
import { canonical, copyOf, isObject, isWithinDepth } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import { findHolders, findPlaces, PLACES_MAX, read, write } from "./find-places.ts";
import type { Place } from "./find-places.ts";
import { Recipe } from "./recipe.ts";
import type { RecipeOperation } from "./recipe.ts";

export type Applied =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly reason: string };

/** Longest embedded JSON or text that is taken apart, in UTF-16 units. */
const TEXT_CHARS_MAX = 262_144;
/** Deepest nesting of a value that a recipe is applied to. */
const DEPTH_MAX = 200;
/** Most items that one text is split into. */
const ITEMS_MAX = 10_000;

/** Ends one application; its message is the reason an operator reads. Never leaves this file. */
class NotApplicable extends Error {}

/**
 * Applies a recipe to a value. Pure, total and bounded: the value given is not changed, nothing is thrown,
 * and an operation that does not apply as written refuses the whole. An operation whose pointer names nothing
 * does nothing, except `move`, which needs its source.
 *
 * @returns The new value, not yet validated: what comes out goes through proof like any other repair.
 */
export function applyRecipe(recipe: Recipe, value: JsonValue): Applied {
  if (!isWithinDepth(value, DEPTH_MAX)) return { ok: false, reason: "the value is too deep" };
  if (!isRecipe(recipe)) return { ok: false, reason: "this is not a recipe" };
  // The root lives under one name, so that a pointer to the whole value has a holder like any other.
  const root: JsonObject = { root: copyOf(value) };
  try {
    for (const operation of recipe.operations) applyOperation(root, operation);
    return { ok: true, value: root["root"] ?? null };
  } catch (error) {
    if (error instanceof NotApplicable) return { ok: false, reason: error.message };
    throw error;
  }
}

/** Recipes that were looked at before: one is applied to thousands of messages. */
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

function placesOf(root: JsonObject, pointer: string): Place[] {
  const places = findPlaces(root, locate(pointer));
  if (places.length > PLACES_MAX) throw new NotApplicable("a pointer names too many places");
  return places;
}

function applyOperation(root: JsonObject, operation: RecipeOperation): void {
  if (operation.op === "move") return move(root, operation);
  if (operation.op === "set_default") return setDefault(root, operation);
  for (const place of placesOf(root, operation.path)) {
    if (operation.op === "delete") remove(place, operation.path);
    else if (operation.op === "rename") rename(place, operation.to);
    else write(place, changed(read(place), operation));
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

function rename({ holder, key }: Place, to: string): void {
  if (Array.isArray(holder)) throw new NotApplicable("rename: an item of a list has no name");
  if (key === to) return;
  if (Object.hasOwn(holder, safeName(to))) throw new NotApplicable("rename: the new name is taken");
  holder[to] = read({ holder, key });
  delete holder[key];
}

function remove({ holder, key }: Place, pointer: string): void {
  if (pointer === "") throw new NotApplicable("delete: the whole value cannot be deleted");
  if (Array.isArray(holder)) throw new NotApplicable("delete: items of a list are not dropped");
  delete holder[key];
}

function move(root: JsonObject, { from, path }: { from: string; path: string }): void {
  if (from.includes("*") || path.includes("*")) return moveWithin(root, { from, path });
  const [source] = placesOf(root, from);
  if (source === undefined) throw new NotApplicable("move: nothing is there to be moved");
  if (path === from) return;
  if (path.startsWith(`${from}/`)) throw new NotApplicable("move: a value cannot go into itself");
  put(root, { source, steps: locate(path) });
}

/** A wildcard on both sides: what is moved stays under the same item. */
function moveWithin(root: JsonObject, { from, path }: { from: string; path: string }): void {
  const [source, target] = [locate(from), locate(path)];
  const star = source.lastIndexOf("*");
  const isSameItem =
    star === target.lastIndexOf("*") &&
    source.slice(0, star + 1).join("/") === target.slice(0, star + 1).join("/");
  if (!isSameItem || star === source.length - 1)
    throw new NotApplicable("move: wildcards must be the same on both sides");
  for (const { holder, key } of findPlaces(root, source.slice(0, star + 1))) {
    const item: JsonObject = { root: read({ holder, key }) };
    const [place] = findPlaces(item, ["root", ...source.slice(star + 1)]);
    if (place !== undefined) put(item, { source: place, steps: ["root", ...target.slice(star + 1)] });
  }
}

function put(root: JsonObject, { source, steps }: { source: Place; steps: readonly string[] }): void {
  if (Array.isArray(source.holder)) throw new NotApplicable("move: items of a list are not taken out");
  const value = read(source);
  const key = steps.at(-1) ?? "";
  if (steps.length === 1) {
    root["root"] = value;
    return;
  }
  delete source.holder[source.key];
  const [holder] = findHolders(root, steps);
  if (!isObject(holder)) throw new NotApplicable("move: there is no object to move it into");
  if (Object.hasOwn(holder, key)) throw new NotApplicable("move: the place is taken");
  holder[key] = value;
}

function setDefault(root: JsonObject, { path, value }: { path: string; value: JsonValue }): void {
  const steps = locate(path);
  const key = steps.at(-1) ?? "";
  if (canonical(value).includes('"__proto__"')) throw new NotApplicable("set_default: a name is __proto__");
  for (const holder of findHolders(root, steps)) {
    if (isObject(holder) && key !== "*" && !Object.hasOwn(holder, key)) holder[key] = copyOf(value);
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
    // Parsing JSON gives JSON and nothing else.
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
