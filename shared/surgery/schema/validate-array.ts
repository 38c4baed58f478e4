import type { JsonSchema } from "#shared/contract";
import type { Issue } from "#shared/errors";
import { canonical } from "../json-value.ts";
import type { JsonValue } from "../json-value.ts";
import { fromBoolean, schemaList } from "./resolve.ts";
import { isOutside } from "./validate-scalar.ts";
import { below } from "./checking.ts";
import type { Checking } from "./checking.ts";

export interface ArrayNode {
  readonly value: JsonValue[];
  readonly schema: JsonSchema;
  readonly path: string;
}

/** The schema of the item at `index`; undefined where the contract says nothing about it. */
export function itemSchema(schema: JsonSchema, index: number): JsonSchema | undefined {
  const tuple = schema["prefixItems"] ?? (Array.isArray(schema["items"]) ? schema["items"] : undefined);
  if (Array.isArray(tuple) && index < tuple.length) return fromBoolean(tuple[index]);
  if (schema["items"] === undefined || Array.isArray(schema["items"])) {
    return schema["additionalItems"] === undefined ? undefined : fromBoolean(schema["additionalItems"]);
  }
  return fromBoolean(schema["items"]);
}

export function validateArray(checking: Checking, { value, schema, path }: ArrayNode): Issue[] {
  const issues: Issue[] = [];
  const outside = isOutside(value.length, schema, ["minItems", "maxItems"]);
  if (outside !== undefined)
    issues.push({ path, code: outside, message: "number of items outside the contract's bounds" });
  for (const [index, item] of value.entries()) {
    const inner = itemSchema(schema, index);
    if (inner !== undefined) issues.push(...checking.check(item, inner, below(path, index)));
    if (checking.left < 0 || issues.length >= checking.issuesMax) break;
  }
  if (schema["uniqueItems"] === true && new Set(value.map(canonical)).size < value.length) {
    issues.push({ path, code: "not_unique", message: "items must differ" });
  }
  return [...issues, ...validateContains(checking, { value, schema, path })];
}

function validateContains(checking: Checking, { value, schema, path }: ArrayNode): Issue[] {
  if (schema["contains"] === undefined) return [];
  const [wanted] = schemaList([schema["contains"]]);
  const count = value.filter((item) => checking.check(item, wanted ?? {}, path).length === 0).length;
  const bounds = { minContains: 1, ...schema };
  const outside = isOutside(count, bounds, ["minContains", "maxContains"]);
  return outside === undefined
    ? []
    : [{ path, code: outside, message: "too few or too many items of the wanted kind" }];
}
