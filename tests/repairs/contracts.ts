import type { JsonSchema } from "#shared/json";
import type { RefusalCode } from "#shared/repair";
import type { JsonValue } from "#shared/schema";

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

export const ADDRESS = closed({ city: text, zip: integer });
export const CITY = closed({ city: text });
export const DUE = closed({ due: { type: "string", format: "date" } });
export const PRIORITY = closed({ p: oneOf("high", "low") });
export const QTY = closed({ qty: integer });
export const STEPS = closed({ steps: list(text) });
export const TAGS = closed({ tags: list(text) });
export const TOTAL = closed({ total: number, currency: text });

/** One rule of first aid with an example, which a test runs. */
export interface PolicyRow {
  readonly rule: string;
  readonly text: string;
  /** Undefined: read without a contract. */
  readonly schema: JsonSchema | undefined;
  readonly expected: { readonly value: JsonValue } | { readonly refusal: RefusalCode };
  /** Reason for which the value is certain, or for which none is. */
  readonly why: string;
}

export function read(
  rule: string,
  [answer, value, schema]: readonly [text: string, value: JsonValue, schema?: JsonSchema],
  why: string,
): PolicyRow {
  return { rule, text: answer, schema, expected: { value }, why };
}

export function refuse(
  rule: string,
  [answer, refusal, schema]: readonly [text: string, code: RefusalCode, schema?: JsonSchema],
  why: string,
): PolicyRow {
  return { rule, text: answer, schema, expected: { refusal }, why };
}
