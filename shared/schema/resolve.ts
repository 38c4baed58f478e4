import { kept, stepsOf } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { isObject, isSameJson, valueAt } from "./json-value.ts";
import type { JsonObject, JsonValue } from "./json-value.ts";

/** Returns a function that computes a value once for each object. */
export function cachedBy<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const cache = new WeakMap<Key, Value>();
  return (key) => kept(cache, key, make);
}

/** Maximum references and `allOf` members followed for one schema; the rest is ignored. */
const FOLLOWED_MAX = 64;

export function asSchema(value: unknown): JsonSchema | undefined {
  return isObject(value) ? value : undefined;
}

/** The declared properties of an object; empty for none. */
export function propertiesOf(schema: JsonSchema): JsonSchema {
  return asSchema(schema["properties"]) ?? ANYTHING;
}

/** Returns the schemas of a list keyword (`anyOf`, `allOf`, `prefixItems`); converts booleans. */
export function schemaList(value: unknown): JsonSchema[] {
  if (!Array.isArray(value)) return [];
  return value.map(fromBoolean);
}

/** The schemas of which a value must fit one. */
export function alternativesOf(schema: JsonSchema): JsonSchema[] {
  return [...schemaList(schema["anyOf"]), ...schemaList(schema["oneOf"])];
}

/** Converts `true` to the schema that accepts everything, `false` to the one that accepts nothing. */
export function fromBoolean(value: unknown): JsonSchema {
  if (value === false) return NOTHING;
  return asSchema(value) ?? ANYTHING;
}

// Shared objects, so that caches by schema hit.
const NOTHING: JsonSchema = Object.freeze({ not: {} });
export const ANYTHING: JsonSchema = Object.freeze({});

/** Resolves `#`, `#/$defs/name` or `#name` (an `$anchor` under `$defs`). Undefined outside the document. */
export function findRef(ref: unknown, root: JsonSchema): JsonSchema | undefined {
  if (typeof ref !== "string" || !ref.startsWith("#")) return undefined;
  if (ref === "#") return root;
  return kept(referencesIn(root), ref, () => lookUp(ref, root) ?? null) ?? undefined;
}

/** Resolved references of a document, because every node of a value asks. */
const referencesIn = cachedBy((_root: JsonSchema) => new Map<string, JsonSchema | null>());

function lookUp(ref: string, root: JsonSchema): JsonSchema | undefined {
  if (!ref.startsWith("#/")) return findAnchor(ref.slice(1), root);
  // A schema is JSON by definition.
  const found = valueAt(root as JsonObject, stepsOf(decode(ref.slice(1))));
  return found === undefined ? undefined : fromBoolean(found);
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function findAnchor(anchor: string, root: JsonSchema): JsonSchema | undefined {
  const definitions = Object.values({ ...asSchema(root["definitions"]), ...asSchema(root["$defs"]) });
  return definitions
    .map(asSchema)
    .find((schema) => schema?.["$anchor"] === anchor || schema?.["$dynamicAnchor"] === anchor);
}

/** Resolves references and merges `allOf`, to tell a value's look; the later member wins. No validation. */
export function flatten(schema: JsonSchema, root: JsonSchema): JsonSchema {
  return isComposed(schema) ? flattenedIn(root)(schema) : schema;
}

const flattenedIn = cachedBy((root: JsonSchema) =>
  cachedBy((schema: JsonSchema) => flattenWithin(schema, root, { left: FOLLOWED_MAX })),
);

function isComposed(schema: JsonSchema): boolean {
  return (schema["$ref"] ?? schema["$dynamicRef"] ?? schema["allOf"]) !== undefined;
}

function flattenWithin(schema: JsonSchema, root: JsonSchema, followed: { left: number }): JsonSchema {
  if (!isComposed(schema)) return schema;
  const { $ref, $dynamicRef, allOf, ...own } = schema;
  const reference = $ref ?? $dynamicRef;
  followed.left -= 1;
  if (followed.left < 0) return {};
  const target = findRef(reference, root);
  const parts = [...(target === undefined ? [] : [target]), ...schemaList(allOf)];
  return parts.map((part) => flattenWithin(part, root, followed)).reduce(merge, own);
}

function merge(one: JsonSchema, other: JsonSchema): JsonSchema {
  const merged: Record<string, unknown> = { ...other, ...one };
  if (one["properties"] !== undefined && other["properties"] !== undefined) {
    merged["properties"] = { ...asSchema(other["properties"]), ...asSchema(one["properties"]) };
  }
  if (Array.isArray(one["required"]) && Array.isArray(other["required"])) {
    merged["required"] = [...new Set<unknown>([...one["required"], ...other["required"]])];
  }
  return merged;
}

/** Returns the members of an enum or const; undefined for other schemas. */
export function membersOf(schema: JsonSchema): JsonValue[] | undefined {
  // A schema is JSON by definition.
  if ("const" in schema) return [schema["const"] as JsonValue];
  return Array.isArray(schema["enum"]) ? (schema["enum"] as JsonValue[]) : undefined;
}

/** Returns the members of an enum, also inside a nullable union. */
export function enumOf(schema: JsonSchema, root: JsonSchema): JsonValue[] | undefined {
  const own = membersOf(schema);
  if (own !== undefined) return own;
  const parts = alternativesOf(schema).map((part) => flatten(part, root));
  const inner = parts.filter((part) => part["type"] !== "null").map(membersOf);
  return inner.length > 0 && inner.every((one) => one !== undefined) ? inner.flat() : undefined;
}

/** Returns true for a member of the schema's enum, or a boolean. */
export function isListedIn(value: JsonValue, schema: JsonSchema, root: JsonSchema): boolean {
  if (typeof value === "boolean" && schema["type"] === "boolean") return true;
  return enumOf(schema, root)?.some((member) => isSameJson(value, member)) === true;
}
