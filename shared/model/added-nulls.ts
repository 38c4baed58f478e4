import type { JsonSchema } from "#shared/json";
import { isRecord } from "#shared/json";
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

function resolve(schema: unknown, root: JsonSchema): JsonSchema | null {
  let current = schema;
  // A chain of references is short; a longer one is a circle.
  for (let step = 0; step < 16; step += 1) {
    if (!isRecord(current)) return null;
    const reference = current["$ref"];
    if (typeof reference !== "string") return current;
    const definitions = root["$defs"];
    const name = reference.slice("#/$defs/".length);
    current = reference === "#" ? root : isRecord(definitions) ? definitions[name] : null;
  }
  return null;
}

function drop(value: unknown, given: unknown, place: Place): unknown {
  const schema = resolve(given, place.root);
  if (schema === null || place.depth > DEPTH_MAX || typeof value !== "object" || value === null) return value;
  const deeper = { ...place, depth: place.depth + 1 };
  const branches = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(branches)) {
    const fitting = branches.find((branch) => fits(value, resolve(branch, place.root)));
    return fitting === undefined ? value : drop(value, fitting, deeper);
  }
  if (Array.isArray(value)) return value.map((item) => drop(item, schema["items"], deeper));
  const parts = partsOf(schema, place);
  const kept = Object.entries(value).flatMap(([key, item]: [string, unknown]) => {
    const own = parts
      .map(({ properties }) => properties)
      .find((one) => isRecord(one) && Object.hasOwn(one, key));
    if (!isRecord(own)) return [[key, item]];
    const isOptional = !parts.some(({ required }) => Array.isArray(required) && required.includes(key));
    const isAdded = item === null && isOptional && !mayBeNull(own[key], place);
    return isAdded ? [] : [[key, drop(item, own[key], deeper)]];
  });
  return Object.fromEntries(kept);
}

/** Returns whether null is legal. What cannot be looked up, or is nested too deep, is taken to allow it. */
function mayBeNull(given: unknown, place: Place): boolean {
  const schema = resolve(given, place.root);
  if (schema === null || place.depth > DEPTH_MAX) return true;
  const { allOf, ...own } = schema;
  const deeper = { ...place, depth: place.depth + 1 };
  if (Array.isArray(allOf) && !allOf.every((part) => mayBeNull(part, deeper))) return false;
  const branches = own["anyOf"] ?? own["oneOf"];
  if (Array.isArray(branches)) return branches.some((branch) => mayBeNull(branch, deeper));
  return acceptsNull(own);
}

/** A schema and the schemas of its `allOf`: what any of them declares, holds. */
function partsOf(schema: JsonSchema, place: Place): JsonSchema[] {
  const inner: readonly unknown[] = Array.isArray(schema["allOf"]) ? schema["allOf"] : [];
  if (inner.length === 0 || place.depth > DEPTH_MAX) return [schema];
  const deeper = { ...place, depth: place.depth + 1 };
  return [schema, ...inner.flatMap((part) => partsOf(resolve(part, place.root) ?? {}, deeper))];
}

/** Whether a union's branch is the one meant: the container's kind, its keys and its fixed members agree. */
function fits(value: object, branch: JsonSchema | null): boolean {
  if (branch === null) return false;
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
