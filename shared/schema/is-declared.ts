import type { JsonSchema } from "#shared/json";
import { has, isObject } from "./json-value.ts";
import type { JsonValue } from "./json-value.ts";
import { alternativesOf, asSchema, flatten, fromBoolean } from "./resolve.ts";
import { itemSchema } from "./validate/validate-array.ts";

interface Within {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

/** Returns true when a schema, or every alternative, requires an object or a list. */
export function asksForContainer(schema: JsonSchema, root: JsonSchema = schema, depthMax = 16): boolean {
  const flat = flatten(schema, root);
  const alternatives = alternativesOf(flat);
  if (alternatives.length > 0)
    return depthMax > 0 && alternatives.every((one) => asksForContainer(one, root, depthMax - 1));
  const types = [flat["type"]].flat();
  return types.every((type) => type === "object" || type === "array");
}

/**
 * Returns true when the schema declares every member of a value, by name or as a typed map. A map of texts counts only
 * under a declared name: as the whole value it would take any text.
 */
export function isDeclared(value: JsonValue, { schema, root }: Within): boolean {
  return isKnown(value, { schema, root }, false);
}

function isKnown(value: JsonValue, { schema, root }: Within, isNamed: boolean): boolean {
  const flat = flatten(schema, root);
  const alternatives = alternativesOf(flat);
  if (alternatives.length > 0)
    return alternatives.some((one) => isKnown(value, { schema: one, root }, isNamed));
  if (Array.isArray(value))
    return value.every((item, index) =>
      isKnown(item, { schema: itemSchema(flat, index) ?? {}, root }, isNamed),
    );
  if (!isObject(value)) return true;
  const properties = asSchema(flat["properties"]) ?? {};
  const others = asSchema(flat["additionalProperties"]);
  return Object.entries(value).every(([key, member]) => {
    if (has(properties, key)) return isKnown(member, { schema: fromBoolean(properties[key]), root }, true);
    return others?.["type"] !== undefined && (isNamed || others["type"] !== "string");
  });
}
