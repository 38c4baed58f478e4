import type { JsonSchema } from "#shared/json";
import { below, isObject } from "./json-value.ts";
import { matchesPattern } from "./patterns/match-pattern.ts";
import { cachedBy, findRef } from "./resolve.ts";

/**
 * Returns the JSON pointer of the first malformed keyword of a schema, such as an unknown type, a reference to nothing
 * or a pattern that is none; undefined for a sound schema. Cached by schema object.
 */
export function schemaFault(schema: unknown): string | undefined {
  if (!isObject(schema)) return typeof schema === "boolean" ? undefined : "";
  return faultOf(schema).at;
}

const faultOf = cachedBy((schema: JsonSchema) => ({ at: faultIn(schema, "", schema) }));

const TYPES: ReadonlySet<unknown> = new Set("array boolean integer null number object string".split(" "));
const LISTS = /^(?:allOf|anyOf|oneOf|prefixItems)$/;
const MAPS = /^(?:properties|patternProperties|dependentSchemas|\$defs|definitions)$/;
const INNER =
  /^(?:items|additionalItems|contains|not|if|then|else|propertyNames|(?:additional|unevaluated)(?:Properties|Items))$/;
const NUMBERS =
  /^(?:(?:min|max)(?:Length|Items|Properties|Contains|imum)|exclusive(?:Min|Max)imum|multipleOf)$/;

function faultIn(schema: unknown, path: string, root: JsonSchema): string | undefined {
  if (typeof schema === "boolean") return undefined;
  if (!isObject(schema)) return path;
  for (const [keyword, value] of Object.entries(schema)) {
    const at = below(path, keyword);
    if (!isSound(keyword, value, root)) return at;
    const isList = LISTS.test(keyword) || (keyword === "items" && Array.isArray(value));
    const inner = isList || MAPS.test(keyword) ? Object.entries(value ?? {}) : [];
    if (!isList && INNER.test(keyword)) inner.push(["", value]);
    for (const [key, one] of inner) {
      const fault = faultIn(one, key === "" && !isList ? at : below(at, key), root);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function isSound(keyword: string, value: unknown, root: JsonSchema): boolean {
  const isPattern = (one: unknown): boolean =>
    typeof one === "string" && matchesPattern("", one) !== "malformed";
  if (keyword === "type") return [value].flat().every((type) => TYPES.has(type));
  if (keyword === "enum") return Array.isArray(value);
  if (keyword === "required") return Array.isArray(value) && value.every((name) => typeof name === "string");
  if (keyword === "$ref" || keyword === "$dynamicRef") return findRef(value, root) !== undefined;
  if (keyword === "pattern") return isPattern(value);
  if (keyword === "patternProperties") return isObject(value) && Object.keys(value).every(isPattern);
  if (LISTS.test(keyword)) return Array.isArray(value) && (keyword === "prefixItems" || value.length > 0);
  return MAPS.test(keyword)
    ? isObject(value)
    : !NUMBERS.test(keyword) || (typeof value === "number" && (keyword !== "multipleOf" || value > 0));
}
