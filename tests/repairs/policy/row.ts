import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "#shared/schema";
import type { RefusalCode } from "#shared/repair";

/** One rule of first aid with an example, which a test runs. */
export interface PolicyRow {
  readonly rule: string;
  readonly text: string;
  /** Undefined: read without a contract. */
  readonly schema: JsonSchema | undefined;
  readonly expected: { readonly value: JsonValue } | { readonly refusal: RefusalCode };
  /** What makes the value certain, or why no value is. */
  readonly why: string;
}

/** A text that is read. */
export function read(
  rule: string,
  [text, value, schema]: readonly [text: string, value: JsonValue, schema?: JsonSchema],
  why: string,
): PolicyRow {
  return { rule, text, schema, expected: { value }, why };
}

/** A text that is refused. */
export function refuse(
  rule: string,
  [text, refusal, schema]: readonly [text: string, code: RefusalCode, schema?: JsonSchema],
  why: string,
): PolicyRow {
  return { rule, text, schema, expected: { refusal }, why };
}
