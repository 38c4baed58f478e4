import type { JsonSchema } from "#shared/json";
import { below } from "../json-value.ts";
import type { JsonValue } from "../json-value.ts";
import type { Fault } from "./issues.ts";
import { ANYTHING, asSchema, cachedBy, fromBoolean, schemaList } from "../resolve.ts";

const COMBINING: readonly string[] = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if"];
const ABOUT_SCALARS: readonly string[] =
  "minLength maxLength format pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split(
    " ",
  );

/** Returns a schema's keywords, read once, because a million nodes may ask. Undefined where one does not restrict. */
export const keywordsOf = cachedBy((schema: JsonSchema) => {
  const { required, additionalProperties } = schema;
  const says = (keyword: string): boolean => keyword in schema;
  return {
    required: textsIn(required),
    properties: asSchema(schema["properties"]) ?? ANYTHING,
    patterns: Object.entries(asSchema(schema["patternProperties"]) ?? {}).map(([pattern, inner]) => ({
      pattern,
      inner: fromBoolean(inner),
    })),
    others: additionalProperties === undefined ? undefined : fromBoolean(additionalProperties),
    ...itemsOf(schema),
    boundsScalars: ABOUT_SCALARS.some(says),
    members: Array.isArray(schema["enum"]) ? new Set<unknown>(schema["enum"]) : undefined,
    isCombined: COMBINING.some(says),
    allOf: schemaList(schema["allOf"]),
    anyOf: schemaList(schema["anyOf"]),
    oneOf: schemaList(schema["oneOf"]),
  };
});

/** The texts in a list; none of anything else. */
export function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
}

function itemsOf(schema: JsonSchema) {
  const { items, additionalItems } = schema;
  const tuple = schemaList(schema["prefixItems"] ?? (Array.isArray(items) ? items : undefined));
  const rest = items === undefined || Array.isArray(items) ? additionalItems : items;
  return { tuple, items: rest === undefined ? undefined : fromBoolean(rest) };
}

/** A value with the schema that it is held against. */
export interface Node<Value extends JsonValue = JsonValue> {
  readonly value: Value;
  readonly schema: JsonSchema;
  readonly path: string;
}

/** State of a validation: the document for references, and the remaining limits. */
export interface Checking {
  readonly root: JsonSchema;
  left: number;
  depth: number;
  /** Number of faults after which containers are not descended into. */
  readonly issuesMax: number;
  /** Cached results for containers within the same call. */
  readonly verdicts?: Verdicts | undefined;
  readonly check: (value: JsonValue, schema: JsonSchema, path: string) => Fault[];
}

/** Cached faults of immutable values, by schema. */
export type Verdicts = Map<object, Map<JsonSchema, Fault[]>>;

/** Appends faults; a fast path for none. */
export function addFaults(faults: Fault[], more: readonly Fault[]): void {
  if (more.length > 0) for (const fault of more) faults.push(fault);
}

/** As `below`, but skips building paths when only validity is asked for, which is costly for a million nodes. */
export function pathBelow({ verdicts }: Checking, path: string, key: string | number): string {
  return verdicts === undefined ? below(path, key) : path;
}
