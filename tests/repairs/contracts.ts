import type { JsonSchema } from "#shared/json";

export const text = { type: "string" };
export const number = { type: "number" };
export const integer = { type: "integer" };
export const boolean = { type: "boolean" };

export function oneOf(...members: string[]): JsonSchema {
  return { type: "string", enum: members };
}

export function list(items: JsonSchema): JsonSchema {
  return { type: "array", items };
}

/** A closed object; all its members are required by default. */
export function closed(properties: JsonSchema, required = Object.keys(properties)): JsonSchema {
  return { type: "object", properties, required, additionalProperties: false };
}
