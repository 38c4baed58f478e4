import type { JsonSchema } from "#shared/json";
import type { Issue } from "#shared/errors";
import { canonical } from "../json-value.ts";
import type { JsonValue } from "../json-value.ts";
import { schemaList } from "../resolve.ts";
import { addIssues, pathBelow } from "./checking.ts";
import type { Checking } from "./checking.ts";
import { keywordsOf } from "./keywords.ts";
import { isOutside } from "./validate-scalar.ts";

export interface ArrayNode {
  readonly value: JsonValue[];
  readonly schema: JsonSchema;
  readonly path: string;
}

/** Schema of the item at `index`; undefined when unrestricted. */
export function itemSchema(schema: JsonSchema, index: number): JsonSchema | undefined {
  const { tuple, items } = keywordsOf(schema);
  return index < tuple.length ? tuple[index] : items;
}

export function validateArray(checking: Checking, { value, schema, path }: ArrayNode): Issue[] {
  const issues: Issue[] = [];
  const keywords = keywordsOf(schema);
  const outside = keywords.countsItems
    ? isOutside(value.length, schema, ["minItems", "maxItems"])
    : undefined;
  if (outside !== undefined)
    issues.push({ path, code: outside, message: "number of items outside the contract's bounds" });
  const last = keywords.items === undefined ? Math.min(value.length, keywords.tuple.length) : value.length;
  for (let index = 0; index < last; index += 1) {
    const inner = index < keywords.tuple.length ? keywords.tuple[index] : keywords.items;
    addIssues(issues, checking.check(value[index] ?? null, inner ?? {}, pathBelow(checking, path, index)));
    if (checking.left < 0 || issues.length >= checking.issuesMax) break;
  }
  if (schema["uniqueItems"] === true && new Set(value.map(canonical)).size < value.length) {
    issues.push({ path, code: "not_unique", message: "items must differ" });
  }
  if (schema["contains"] !== undefined)
    addIssues(issues, validateContains(checking, { value, schema, path }));
  return issues;
}

function validateContains(checking: Checking, { value, schema, path }: ArrayNode): Issue[] {
  const [wanted] = schemaList([schema["contains"]]);
  const count = value.filter((item) => checking.check(item, wanted ?? {}, path).length === 0).length;
  const bounds = { minContains: 1, ...schema };
  const outside = isOutside(count, bounds, ["minContains", "maxContains"]);
  return outside === undefined
    ? []
    : [{ path, code: outside, message: "too few or too many items of the wanted kind" }];
}
