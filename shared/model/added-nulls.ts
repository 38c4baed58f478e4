import type { JsonSchema } from "#shared/json";
import { isRecord } from "#shared/json";
import { alternativesOf, flatten, fromBoolean, has, propertiesOf, requiredOf } from "#shared/schema";
import { acceptsNull } from "./strict-schema.ts";

/** Values nested deeper than this are left as they are. */
const DEPTH_MAX = 64;

/** Drops nulls of absent optional fields, which strict mode asks for. A null that the schema allows stays. */
export function dropAddedNulls(value: unknown, jsonSchema: JsonSchema): unknown {
  return drop(value, jsonSchema, { root: jsonSchema, depth: 0 });
}

interface Place {
  readonly root: JsonSchema;
  readonly depth: number;
}

function drop(value: unknown, given: JsonSchema, place: Place): unknown {
  if (place.depth > DEPTH_MAX || typeof value !== "object" || value === null) return value;
  const schema = flatten(given, place.root);
  const deeper = { ...place, depth: place.depth + 1 };
  const branches = alternativesOf(schema).map((one) => flatten(one, place.root));
  if (branches.length > 0) {
    const fitting = branches.find((branch) => fits(value, branch));
    return fitting === undefined ? value : drop(value, fitting, deeper);
  }
  if (Array.isArray(value)) return value.map((item) => drop(item, fromBoolean(schema["items"]), deeper));
  const properties = propertiesOf(schema);
  const required = requiredOf(schema);
  const kept = Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    if (!has(properties, key)) return [[key, item]];
    const own = fromBoolean(properties[key]);
    const isAdded = item === null && !required.includes(key) && !mayBeNull(own, place);
    return isAdded ? [] : [[key, drop(item, own, deeper)]];
  });
  return Object.fromEntries(kept);
}

/** Returns whether null is legal. What cannot be looked up, or is nested too deep, is taken to allow it. */
function mayBeNull(given: JsonSchema, { root, depth }: Place): boolean {
  const schema = flatten(given, root);
  const branches = alternativesOf(schema);
  if (branches.length === 0 || depth > DEPTH_MAX) return acceptsNull(schema);
  return branches.some((branch) => mayBeNull(branch, { root, depth: depth + 1 }));
}

/** Returns true for the branch of a union that is meant: the container's kind, its keys and its fixed members agree. */
function fits(value: object, branch: JsonSchema): boolean {
  if (Array.isArray(value)) return branch["type"] === "array";
  const { properties, required } = branch;
  if (branch["type"] !== "object" || !isRecord(properties)) return false;
  const hasRequired = !Array.isArray(required) || required.every((key) => Object.hasOwn(value, String(key)));
  const isOpen = branch["additionalProperties"] !== false;
  return (
    hasRequired &&
    Object.entries(value).every(([key, item]) =>
      Object.hasOwn(properties, key) ? agrees(item, properties[key]) : isOpen,
    )
  );
}

function agrees(item: unknown, property: unknown): boolean {
  if (!isRecord(property)) return false;
  if ("const" in property) return property["const"] === item;
  return !Array.isArray(property["enum"]) || item === null || property["enum"].includes(item);
}
