import type { JsonSchema } from "#shared/json";
import type { Issue } from "#shared/errors";
import { has } from "../json-value.ts";
import type { JsonObject } from "../json-value.ts";
import { matchesPattern } from "../patterns/match-pattern.ts";
import type { Meter } from "../patterns/match-pattern.ts";
import { below } from "../pointer.ts";
import { asSchema, findRef, fromBoolean, schemaList } from "../resolve.ts";
import { addIssues, pathBelow } from "./checking.ts";
import type { Checking } from "./checking.ts";
import { keywordsOf } from "./keywords.ts";
import { isOutside } from "./validate-scalar.ts";

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

export function validateObject(checking: Checking, node: ObjectNode): Issue[] {
  const { value, schema, path } = node;
  const keywords = keywordsOf(schema);
  const issues: Issue[] = [];
  for (const key of keywords.required)
    if (!has(value, key))
      issues.push({ path: below(path, key), code: "missing", message: "required, and not there" });
  const outside = keywords.countsMembers
    ? isOutside(Object.keys(value).length, schema, ["minProperties", "maxProperties"])
    : undefined;
  if (outside !== undefined)
    issues.push({ path, code: outside, message: "number of members outside the contract's bounds" });
  for (const key of Object.keys(value)) {
    const declared = memberSchema(schema, key, checking);
    const inner = declared ?? keywords.others;
    if (declared === undefined && keywords.isClosed) issues.push(unknown(below(path, key)));
    else if (inner !== undefined)
      addIssues(issues, checking.check(value[key] ?? null, inner, pathBelow(checking, path, key)));
    if (checking.left < 0 || issues.length >= checking.issuesMax) break;
  }
  if (keywords.saysMoreOfMembers)
    for (const part of [validateNames, validateDependent, validateUnevaluated])
      addIssues(issues, part(checking, node));
  return issues;
}

function unknown(path: string): Issue {
  return { path, code: "unknown_field", message: "this field is not part of the contract" };
}

function validateNames(checking: Checking, { value, schema, path }: ObjectNode): Issue[] {
  if (schema["propertyNames"] === undefined) return [];
  const names = fromBoolean(schema["propertyNames"]);
  return Object.keys(value).flatMap((key) => checking.check(key, names, below(path, key)));
}

function validateDependent(checking: Checking, { value, schema, path }: ObjectNode): Issue[] {
  const issues: Issue[] = [];
  if (!("dependentRequired" in schema || "dependentSchemas" in schema)) return issues;
  for (const [key, needed] of Object.entries(asSchema(schema["dependentRequired"]) ?? {})) {
    if (!has(value, key) || !Array.isArray(needed)) continue;
    const missing = needed.filter((name) => typeof name === "string").filter((name) => !has(value, name));
    issues.push(
      ...missing.map((name) => ({
        path: below(path, name),
        code: "missing",
        message: `required beside ${key}`,
      })),
    );
  }
  for (const [key, dependent] of Object.entries(asSchema(schema["dependentSchemas"]) ?? {})) {
    if (has(value, key)) issues.push(...checking.check(value, fromBoolean(dependent), path));
  }
  return issues;
}

function validateUnevaluated(checking: Checking, { value, schema, path }: ObjectNode): Issue[] {
  if (schema["unevaluatedProperties"] !== false) return [];
  const known = evaluatedBy(checking, { value, schema, path }, 16);
  return Object.keys(value)
    .filter((key) => !known.has(key))
    .map((key) => unknown(below(path, key)));
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
  const fitting = [...schemaList(schema["anyOf"]), ...schemaList(schema["oneOf"])].filter(
    (part) => checking.check(value, part, path).length === 0,
  );
  for (const part of [...always, ...fitting]) {
    for (const key of evaluatedBy(checking, { value, schema: part, path }, depth - 1)) known.add(key);
  }
  return known;
}
