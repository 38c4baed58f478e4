import type { JsonSchema } from "#shared/json";
import { below, canonical, has } from "../json-value.ts";
import type { JsonObject, JsonValue } from "../json-value.ts";
import { matchesPattern } from "../patterns/match-pattern.ts";
import type { Meter } from "../patterns/search.ts";
import { alternativesOf, asSchema, findRef, fromBoolean, schemaList } from "../resolve.ts";
import { satisfiesFormat } from "./formats.ts";
import { addFaults, keywordsOf, pathBelow, textsIn } from "./keywords.ts";
import type { Breakable, Fault } from "./issues.ts";
import type { Checking, Node } from "./keywords.ts";

/** Schema of a member by name or pattern; undefined when undeclared. Charges pattern matching to `meter`. */
export function memberSchema(schema: JsonSchema, key: string, meter?: Meter): JsonSchema | undefined {
  const { properties, patterns } = keywordsOf(schema);
  if (has(properties, key)) return fromBoolean(properties[key]);
  for (const { pattern, inner } of patterns) if (matchesPattern(key, pattern, meter) === "yes") return inner;
  return undefined;
}

export function requiredOf(schema: JsonSchema): readonly string[] {
  return keywordsOf(schema).required;
}

export function validateObject(checking: Checking, node: Node<JsonObject>): Fault[] {
  const { value, schema, path } = node;
  const { required, others } = keywordsOf(schema);
  const faults = missing(node, required, "required");
  const keys = Object.keys(value);
  addFaults(faults, checkAmount(keys.length, node, ["minProperties", "maxProperties"]));
  for (const key of keys) {
    const declared = memberSchema(schema, key, checking);
    const inner = declared ?? others;
    if (declared === undefined && schema["additionalProperties"] === false) faults.push(unknown(path, key));
    else if (inner !== undefined)
      addFaults(faults, checking.check(value[key] ?? null, inner, pathBelow(checking, path, key)));
    if (checking.left < 0 || faults.length >= checking.issuesMax) break;
  }
  for (const part of [validateNames, validateDependent, validateUnevaluated])
    addFaults(faults, part(checking, node));
  return faults;
}

/** A fault for each name that an object lacks. */
function missing(
  { value, path }: Node<JsonObject>,
  names: readonly string[],
  keyword: Breakable,
  detail?: string,
): Fault[] {
  return names
    .filter((name) => !has(value, name))
    .map((name) => ({ path: below(path, name), keyword, detail }));
}

function unknown(path: string, key: string): Fault {
  return { path: below(path, key), keyword: "additionalProperties" };
}

function validateNames(checking: Checking, { value, schema, path }: Node<JsonObject>): Fault[] {
  if (schema["propertyNames"] === undefined) return [];
  const names = fromBoolean(schema["propertyNames"]);
  return Object.keys(value).flatMap((key) => checking.check(key, names, below(path, key)));
}

function validateDependent(checking: Checking, node: Node<JsonObject>): Fault[] {
  const { value, schema, path } = node;
  const present = (keyword: string): [string, unknown][] =>
    Object.entries(asSchema(schema[keyword]) ?? {}).filter(([key]) => has(value, key));
  return [
    ...present("dependentRequired").flatMap(([key, needed]) =>
      missing(node, textsIn(needed), "dependentRequired", key),
    ),
    ...present("dependentSchemas").flatMap(([, dependent]) =>
      checking.check(value, fromBoolean(dependent), path),
    ),
  ];
}

function validateUnevaluated(checking: Checking, { value, schema, path }: Node<JsonObject>): Fault[] {
  if (schema["unevaluatedProperties"] !== false) return [];
  const known = evaluatedBy(checking, { value, schema, path }, 16);
  return Object.keys(value)
    .filter((key) => !known.has(key))
    .map((key) => unknown(path, key));
}

/** Names declared by a schema or any of its fitting parts. */
function evaluatedBy(
  checking: Checking,
  { value, schema, path }: Node<JsonObject>,
  depth: number,
): Set<string> {
  const open = schema["additionalProperties"] !== undefined && schema["additionalProperties"] !== false;
  const known = new Set(
    Object.keys(value).filter((key) => open || memberSchema(schema, key, checking) !== undefined),
  );
  if (depth === 0) return known;
  const target = findRef(schema["$ref"], checking.root);
  const always = [...schemaList(schema["allOf"]), ...(target === undefined ? [] : [target])];
  const fitting = alternativesOf(schema).filter((part) => checking.check(value, part, path).length === 0);
  for (const part of [...always, ...fitting]) {
    for (const key of evaluatedBy(checking, { value, schema: part, path }, depth - 1)) known.add(key);
  }
  return known;
}

/** Schema of the item at `index`; undefined when unrestricted. */
export function itemSchema(schema: JsonSchema, index: number): JsonSchema | undefined {
  const { tuple, items } = keywordsOf(schema);
  return index < tuple.length ? tuple[index] : items;
}

export function validateArray(checking: Checking, { value, schema, path }: Node<JsonValue[]>): Fault[] {
  const faults = checkAmount(value.length, { schema, path }, ["minItems", "maxItems"]);
  const { tuple, items } = keywordsOf(schema);
  const last = items === undefined ? Math.min(value.length, tuple.length) : value.length;
  for (let index = 0; index < last; index += 1) {
    const inner = itemSchema(schema, index) ?? {};
    addFaults(faults, checking.check(value[index] ?? null, inner, pathBelow(checking, path, index)));
    if (checking.left < 0 || faults.length >= checking.issuesMax) break;
  }
  if (schema["uniqueItems"] === true && new Set(value.map(canonical)).size < value.length)
    faults.push({ path, keyword: "uniqueItems" });
  if (schema["contains"] !== undefined) {
    const wanted = fromBoolean(schema["contains"]);
    const count = value.filter((item) => checking.check(item, wanted, path).length === 0).length;
    const bounds = { minContains: 1, ...schema };
    addFaults(faults, checkAmount(count, { schema: bounds, path }, ["minContains", "maxContains"]));
  }
  return faults;
}

function typeOf(value: JsonValue): string {
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
function checkAmount(
  amount: number,
  { schema, path }: { readonly schema: JsonSchema; readonly path: string },
  [least, most]: readonly [least: Breakable, most: Breakable],
): Fault[] {
  if (amount < limit(schema, least)) return [{ path, keyword: least }];
  return amount > limit(schema, most) ? [{ path, keyword: most }] : [];
}

/** JSON Schema counts code points, not UTF-16 units. */
const SURROGATES = /[\uD800-\uDBFF][\uDC00-\uDFFF]/g;

export function validateText(checking: Checking, { value, schema, path }: Node<string>): Fault[] {
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
