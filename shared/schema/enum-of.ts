import type { JsonSchema } from "#shared/json";
import { isSameJson } from "./json-value.ts";
import type { JsonValue } from "./json-value.ts";
import { alternativesOf, flatten } from "./resolve.ts";

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
