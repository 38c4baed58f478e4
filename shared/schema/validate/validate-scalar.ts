import type { JsonSchema } from "#shared/json";
import type { Issue } from "#shared/errors";
import type { JsonValue } from "../json-value.ts";
import { matchesPattern } from "../patterns/match-pattern.ts";
import type { Checking } from "./checking.ts";
import { satisfiesFormat } from "./formats.ts";

export function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Checks `type`, a name or a list of names. An integer may be written 2.0. */
export function isOfType(value: JsonValue, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((one) => isOfType(value, one));
  if (type === "integer") return typeof value === "number" && Number.isInteger(value);
  return type === typeOf(value);
}

/** A numeric limit of a schema. */
function bound(schema: JsonSchema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === "number" ? value : undefined;
}

export function isOutside(
  amount: number,
  schema: JsonSchema,
  [least, most]: readonly [string, string],
): "too_small" | "too_big" | undefined {
  if (amount < (bound(schema, least) ?? Number.NEGATIVE_INFINITY)) return "too_small";
  return amount > (bound(schema, most) ?? Number.POSITIVE_INFINITY) ? "too_big" : undefined;
}

export interface TextNode {
  readonly value: string;
  readonly schema: JsonSchema;
  readonly path: string;
}

/** JSON Schema counts code points, not UTF-16 units. */
function charactersIn(text: string): number {
  return text.length - (text.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);
}

export function validateText(checking: Checking, { value, schema, path }: TextNode): Issue[] {
  const issues: Issue[] = [];
  const length = "minLength" in schema || "maxLength" in schema ? charactersIn(value) : 0;
  const outside = isOutside(length, schema, ["minLength", "maxLength"]);
  if (outside !== undefined)
    issues.push({ path, code: outside, message: "length outside the contract's bounds" });
  if (typeof schema["format"] === "string" && !satisfiesFormat(value, schema["format"])) {
    issues.push({ path, code: "invalid_format", message: `not of the format ${schema["format"]}` });
  }
  if (typeof schema["pattern"] !== "string") return issues;
  const matched = matchesPattern(value, schema["pattern"], checking);
  if (matched === "too_costly")
    issues.push({ path, code: "pattern_too_costly", message: "the pattern takes too long to check" });
  else if (matched === "malformed")
    issues.push({ path, code: "pattern_malformed", message: "the contract's pattern is malformed" });
  else if (matched === "no")
    issues.push({ path, code: "invalid_format", message: "does not match the contract's pattern" });
  return issues;
}

export function validateNumber(value: number, schema: JsonSchema, path: string): Issue[] {
  const issues: Issue[] = [];
  const outside = isOutside(value, schema, ["minimum", "maximum"]);
  if (outside !== undefined) issues.push({ path, code: outside, message: "outside the contract's bounds" });
  if (value <= (bound(schema, "exclusiveMinimum") ?? Number.NEGATIVE_INFINITY)) {
    issues.push({ path, code: "too_small", message: "not above the contract's bound" });
  }
  if (value >= (bound(schema, "exclusiveMaximum") ?? Number.POSITIVE_INFINITY)) {
    issues.push({ path, code: "too_big", message: "not below the contract's bound" });
  }
  const step = bound(schema, "multipleOf");
  if (step !== undefined && step > 0 && !isMultiple(value, step)) {
    issues.push({ path, code: "not_multiple_of", message: `not a multiple of ${step}` });
  }
  return issues;
}

/** Exact decimal arithmetic: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}
