import { kept } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { alternativesOf } from "#shared/schema";

const known = new WeakMap<JsonSchema, readonly JsonSchema[]>();

/**
 * Returns a schema's alternatives: members of `anyOf` and `oneOf`, or of a list of types, each merged with the
 * keywords beside them. Empty without a choice. Returns the same objects for the same schema, so that caches hit.
 */
export function mergedAlternatives(schema: JsonSchema): readonly JsonSchema[] {
  return kept(known, schema, merged);
}

function merged(schema: JsonSchema): readonly JsonSchema[] {
  const { anyOf: _anyOf, oneOf: _oneOf, type: _type, ...common } = schema;
  const listed = alternativesOf(schema);
  if (listed.length > 0) return listed.map((one) => ({ ...common, ...one }));
  const types = "const" in schema || Array.isArray(schema["enum"]) ? [] : typesOf(schema);
  return types.length > 1 ? types.map((type) => ({ ...common, type })) : [];
}

/** Returns the declared types, else the type that the other keywords imply. */
export function typesOf(schema: JsonSchema): string[] {
  const { type } = schema;
  if (typeof type === "string") return [type];
  if (Array.isArray(type)) return type.filter((one) => typeof one === "string");
  if (schema["properties"] !== undefined || schema["required"] !== undefined) return ["object"];
  return schema["items"] !== undefined || schema["prefixItems"] !== undefined ? ["array"] : [];
}
