import type { JsonSchema } from "#shared/json";
import type { JsonValue } from "../json-value.ts";
import { matchesPattern } from "../patterns/match-pattern.ts";
import type { Breakable, Checking, Fault } from "./checking.ts";
import { satisfiesFormat } from "./formats.ts";

export function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Checks `type`, a name or a list of names. An integer may be written 2.0. */
export function isOfType(value: JsonValue, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((one) => isOfType(value, one));
  if (type === "integer") return Number.isInteger(value);
  return type === typeOf(value);
}

/** A numeric limit of a schema. Without one NaN, which no number is below, above or equal to. */
function limit(schema: JsonSchema, keyword: string): number {
  const value = schema[keyword];
  return typeof value === "number" ? value : Number.NaN;
}

/** Holds an amount against two keywords, the least and the most. */
export function checkAmount(
  amount: number,
  { schema, path }: { readonly schema: JsonSchema; readonly path: string },
  [least, most]: readonly [least: Breakable, most: Breakable],
): Fault[] {
  if (amount < limit(schema, least)) return [{ path, keyword: least }];
  return amount > limit(schema, most) ? [{ path, keyword: most }] : [];
}

export interface TextNode {
  readonly value: string;
  readonly schema: JsonSchema;
  readonly path: string;
}

/** JSON Schema counts code points, not UTF-16 units. */
const SURROGATES = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

export function validateText(checking: Checking, { value, schema, path }: TextNode): Fault[] {
  const { format, pattern } = schema;
  const faults = checkAmount(value.replaceAll(SURROGATES, " ").length, { schema, path }, [
    "minLength",
    "maxLength",
  ]);
  if (typeof format === "string" && !satisfiesFormat(value, format))
    faults.push({ path, keyword: "format", detail: format });
  const matched = typeof pattern === "string" ? matchesPattern(value, pattern, checking) : "yes";
  if (matched !== "yes") faults.push({ path, keyword: "pattern", detail: matched });
  return faults;
}

export function validateNumber(value: number, schema: JsonSchema, path: string): Fault[] {
  const faults = checkAmount(value, { schema, path }, ["minimum", "maximum"]);
  if (value <= limit(schema, "exclusiveMinimum")) faults.push({ path, keyword: "exclusiveMinimum" });
  if (value >= limit(schema, "exclusiveMaximum")) faults.push({ path, keyword: "exclusiveMaximum" });
  const step = limit(schema, "multipleOf");
  if (step > 0 && !isMultiple(value, step)) faults.push({ path, keyword: "multipleOf", detail: step });
  return faults;
}

/** Exact decimal arithmetic: 0.3 is a multiple of 0.1. */
function isMultiple(value: number, step: number): boolean {
  const times = value / step;
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}
