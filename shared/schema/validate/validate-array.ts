import type { JsonSchema } from "#shared/json";
import { canonical } from "../json-value.ts";
import type { JsonValue } from "../json-value.ts";
import { fromBoolean } from "../resolve.ts";
import { addFaults, pathBelow } from "./checking.ts";
import type { Checking, Fault } from "./checking.ts";
import { keywordsOf } from "./keywords.ts";
import { checkAmount } from "./validate-scalar.ts";

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

export function validateArray(checking: Checking, { value, schema, path }: ArrayNode): Fault[] {
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
