import { expect, test } from "vitest";
import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";
import { firstAid } from "../first-aid.ts";

/** A text with its only value under a schema; undefined when it is ambiguous. */
export type Row = readonly [
  name: string,
  text: string,
  schema: JsonSchema | undefined,
  value: JsonValue | undefined,
];

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

/** Expects first aid to give each row's value. */
export function readsAll(rows: readonly Row[]): void {
  test.each(rows)("%s", (_, input, schema, value) => {
    const result = firstAid(input, schema);
    expect(result).toMatchObject(value === undefined ? { ok: false } : { ok: true, value });
    if (result.ok) expect(result.value).toEqual(value);
  });
}

/** A row that its own text names. */
export type TextRow = readonly [text: string, schema: JsonSchema | undefined, value: JsonValue | undefined];

export function named([input, schema, value]: TextRow): Row {
  return [JSON.stringify(input), input, schema, value];
}
