import type { JsonSchema } from "#shared/json";
import { isRecord } from "#shared/json";
import { acceptsNull } from "./strict-schema.ts";

/** Where nulls are to go: the members of one object or array that hold some, `true` for a null itself. */
export type NullTree = Map<string, NullTree | true>;

/** Values nested deeper than this are left as they are. */
const DEPTH_MAX = 64;

/**
 * Takes out nulls of absent optional fields, which strict mode asks for and models write without it: a null where the
 * schema knows an optional property that cannot be null means "not given". Every other null stays. Returns the value
 * itself when there is none.
 */
export function dropAddedNulls(value: unknown, jsonSchema: JsonSchema): unknown {
  const found = findAddedNulls(value, jsonSchema);
  return found === null ? value : without(value, found);
}

function without(value: unknown, nulls: NullTree): unknown {
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      const inner = nulls.get(String(index));
      return inner === undefined || inner === true ? item : without(item, inner);
    });
  }
  const kept = Object.entries(value ?? {}).filter(([key]) => nulls.get(key) !== true);
  return Object.fromEntries(
    kept.map(([key, item]) => {
      const inner = nulls.get(key);
      return [key, inner === undefined || inner === true ? item : without(item, inner)];
    }),
  );
}

/** The added nulls of a parsed answer as a tree of keys; null when there is none. */
export function findAddedNulls(value: unknown, jsonSchema: JsonSchema): NullTree | null {
  return find(value, jsonSchema, { root: jsonSchema, depth: 0 });
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

function find(value: unknown, given: unknown, place: Place): NullTree | null {
  const schema = resolve(given, place.root);
  if (schema === null || place.depth > DEPTH_MAX || typeof value !== "object" || value === null) return null;
  const branches = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(branches)) {
    const fitting = branches.find((branch) => fits(value, resolve(branch, place.root)));
    return fitting === undefined ? null : find(value, fitting, { ...place, depth: place.depth + 1 });
  }
  if (Array.isArray(value)) return findInArray(value, schema, place);
  return isRecord(value) ? findInObject(value, schema, place) : null;
}

function findInArray(value: readonly unknown[], schema: JsonSchema, place: Place): NullTree | null {
  const found: NullTree = new Map();
  for (const [index, item] of value.entries()) {
    const inner = find(item, schema["items"], { ...place, depth: place.depth + 1 });
    if (inner !== null) found.set(String(index), inner);
  }
  return found.size === 0 ? null : found;
}

function findInObject(
  value: { readonly [key: string]: unknown },
  schema: JsonSchema,
  place: Place,
): NullTree | null {
  const parts = partsOf(schema, place);
  const found: NullTree = new Map();
  for (const [key, item] of Object.entries(value)) {
    const declared = parts.map(({ properties }) => properties).filter(isRecord);
    const own = declared.find((properties) => Object.hasOwn(properties, key));
    if (own === undefined) continue;
    const property = resolve(own[key], place.root);
    const isOptional = !parts.some(({ required }) => Array.isArray(required) && required.includes(key));
    if (item === null && isOptional && !mayBeNull(property, place)) found.set(key, true);
    const inner = find(item, property, { ...place, depth: place.depth + 1 });
    if (inner !== null) found.set(key, inner);
  }
  return found.size === 0 ? null : found;
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
