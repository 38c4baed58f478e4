import type { JsonSchema } from "#shared/json";
import { validate } from "#shared/schema";
import type { JsonObject, JsonValue } from "#shared/schema";
import { at } from "./make-answer.ts";

/** A value inside an answer, with the schema that speaks of it. */
export interface Site {
  readonly path: readonly string[];
  readonly value: JsonValue;
  readonly schema: JsonSchema;
  readonly isLocked: boolean;
  /** Whether it stands inside of a locked value, so that even its name may not change. */
  readonly isInsideLocked: boolean;
  /** Whether the holder must have this member. */
  readonly isRequired: boolean;
  /** Whether the holder refuses members it does not know. */
  readonly isClosed: boolean;
  /** Whether the member is one that the contract names: the keys of maps are data. */
  readonly isNamed: boolean;
}

/** All values of an answer. Of a union the branch that the value satisfies speaks. */
export function sitesOf(value: JsonValue, root: JsonSchema): Site[] {
  const sites: Site[] = [];
  const visit = (site: Site): void => {
    const schema = settled(site.value, { schema: site.schema, root });
    const isLocked = site.isLocked || schema["x-locked"] === true;
    const isInsideLocked = isLocked;
    sites.push({ ...site, schema, isLocked });
    if (Array.isArray(site.value)) {
      const fixed = schema["prefixItems"] as JsonSchema[] | undefined;
      for (const [index, item] of site.value.entries())
        visit({
          path: [...site.path, String(index)],
          value: item,
          schema: fixed?.[index] ?? ((schema["items"] ?? {}) as JsonSchema),
          isLocked,
          isInsideLocked,
          isRequired: true,
          isClosed: false,
          isNamed: false,
        });
    } else if (typeof site.value === "object" && site.value !== null) {
      const properties = (schema["properties"] ?? {}) as Record<string, JsonSchema>;
      const required = (schema["required"] ?? []) as string[];
      for (const [key, inner] of Object.entries(site.value))
        visit({
          path: [...site.path, key],
          value: inner,
          schema: properties[key] ?? ((schema["additionalProperties"] ?? {}) as JsonSchema),
          isLocked,
          isInsideLocked,
          isRequired: required.includes(key),
          isClosed: schema["additionalProperties"] === false,
          isNamed: Object.hasOwn(properties, key),
        });
    }
  };
  visit({
    path: [],
    value,
    schema: root,
    isLocked: false,
    isInsideLocked: false,
    isRequired: true,
    isClosed: false,
    isNamed: false,
  });
  return sites;
}

function settled(value: JsonValue, { schema, root }: { schema: JsonSchema; root: JsonSchema }): JsonSchema {
  const reference = schema["$ref"];
  if (typeof reference === "string")
    return settled(value, { schema: { ...at(root, reference), ...without(schema, "$ref") }, root });
  const choices = (schema["anyOf"] ?? schema["oneOf"]) as JsonSchema[] | undefined;
  const fitting = choices?.find((one) => validate(value, { ...one, $defs: root["$defs"] }).length === 0);
  if (fitting === undefined) return schema;
  const marks = without(without(schema, "anyOf"), "oneOf");
  return settled(value, { schema: { ...marks, ...fitting, isOneOfSeveral: true }, root });
}

function without(schema: JsonSchema, keyword: string): JsonSchema {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => key !== keyword));
}

/** A copy of the answer in which one value is another; `undefined` takes the member away. */
export function withValue(
  answer: JsonValue,
  path: readonly string[],
  value: JsonValue | undefined,
): JsonValue {
  const [step, ...rest] = path;
  if (step === undefined) return value ?? null;
  if (Array.isArray(answer))
    return answer.map((item, index) => (String(index) === step ? withValue(item, rest, value) : item));
  const members = Object.entries(answer as JsonObject).flatMap(([key, inner]): [string, JsonValue][] => {
    if (key !== step) return [[key, inner]];
    if (rest.length === 0) return value === undefined ? [] : [[key, value]];
    return [[key, withValue(inner, rest, value)]];
  });
  return Object.fromEntries(members);
}

/** A copy of the answer in which one member has another name. */
export function withName(answer: JsonValue, path: readonly string[], name: string): JsonValue {
  const holderPath = path.slice(0, -1);
  const holder = holderPath.reduce<JsonValue>((value, step) => (value as JsonObject)[step] ?? null, answer);
  const renamed = Object.entries(holder as JsonObject).map(([key, inner]) => [
    key === path.at(-1) ? name : key,
    inner,
  ]);
  return withValue(answer, holderPath, Object.fromEntries(renamed) as JsonObject);
}

/** The text of a scalar as it would be written without quotation marks. */
export function word(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
