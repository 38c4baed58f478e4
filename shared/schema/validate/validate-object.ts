import type { JsonSchema } from "#shared/json";
import { has } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { matchesPattern } from "../patterns/match-pattern.ts";
import type { Meter } from "../patterns/search.ts";
import { below } from "../pointer.ts";
import { alternativesOf, asSchema, findRef, fromBoolean, schemaList } from "../resolve.ts";
import { addFaults, pathBelow } from "./checking.ts";
import type { Breakable, Checking, Fault } from "./checking.ts";
import { keywordsOf, textsIn } from "./keywords.ts";
import { checkAmount } from "./validate-scalar.ts";

export interface ObjectNode {
  readonly value: JsonObject;
  readonly schema: JsonSchema;
  readonly path: string;
}

/** Schema of a member by name or pattern; undefined when undeclared. Charges pattern matching to `meter`. */
export function memberSchema(schema: JsonSchema, key: string, meter?: Meter): JsonSchema | undefined {
  const { properties, patterns } = keywordsOf(schema);
  if (has(properties, key)) return fromBoolean(properties[key]);
  for (const [pattern, inner] of patterns) if (matchesPattern(key, pattern, meter) === "yes") return inner;
  return undefined;
}

export function requiredOf(schema: JsonSchema): readonly string[] {
  return keywordsOf(schema).required;
}

export function validateObject(checking: Checking, node: ObjectNode): Fault[] {
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
  { value, path }: ObjectNode,
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

function validateNames(checking: Checking, { value, schema, path }: ObjectNode): Fault[] {
  if (schema["propertyNames"] === undefined) return [];
  const names = fromBoolean(schema["propertyNames"]);
  return Object.keys(value).flatMap((key) => checking.check(key, names, below(path, key)));
}

function validateDependent(checking: Checking, node: ObjectNode): Fault[] {
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

function validateUnevaluated(checking: Checking, { value, schema, path }: ObjectNode): Fault[] {
  if (schema["unevaluatedProperties"] !== false) return [];
  const known = evaluatedBy(checking, { value, schema, path }, 16);
  return Object.keys(value)
    .filter((key) => !known.has(key))
    .map((key) => unknown(path, key));
}

/** Names declared by a schema or any of its fitting parts. */
function evaluatedBy(checking: Checking, { value, schema, path }: ObjectNode, depth: number): Set<string> {
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
