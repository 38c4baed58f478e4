import { kept } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { below } from "../json-value.ts";
import type { JsonValue } from "../json-value.ts";
import { asSchema, fromBoolean, schemaList } from "../resolve.ts";

/** A schema's keywords, precomputed because a million nodes may ask. */
interface Keywords {
  readonly required: readonly string[];
  readonly properties: JsonSchema;
  /** Name patterns with their schemas. */
  readonly patterns: readonly (readonly [pattern: string, schema: JsonSchema])[];
  /** Schema of undeclared members; undefined when unrestricted. */
  readonly others: JsonSchema | undefined;
  readonly tuple: readonly JsonSchema[];
  /** Schema of items beyond the tuple; undefined when unrestricted. */
  readonly items: JsonSchema | undefined;
  /** True when it restricts scalars beyond type and enum. */
  readonly boundsScalars: boolean;
  /** Members of `enum`; undefined for none. */
  readonly members: ReadonlySet<unknown> | undefined;
  readonly isCombined: boolean;
  readonly allOf: readonly JsonSchema[];
  readonly anyOf: readonly JsonSchema[];
  readonly oneOf: readonly JsonSchema[];
}

const known = new WeakMap<JsonSchema, Keywords>();

/** Returns a schema's keywords, cached by schema object. */
export function keywordsOf(schema: JsonSchema): Keywords {
  return kept(known, schema, readKeywords);
}

const COMBINING: readonly string[] = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if"];
const ABOUT_SCALARS: readonly string[] =
  "minLength maxLength format pattern minimum maximum exclusiveMinimum exclusiveMaximum multipleOf".split(
    " ",
  );

function readKeywords(schema: JsonSchema): Keywords {
  const { required, additionalProperties } = schema;
  const says = (keyword: string): boolean => keyword in schema;
  return {
    required: textsIn(required),
    properties: asSchema(schema["properties"]) ?? {},
    patterns: Object.entries(asSchema(schema["patternProperties"]) ?? {}).map(([pattern, inner]) => [
      pattern,
      fromBoolean(inner),
    ]),
    others: additionalProperties === undefined ? undefined : fromBoolean(additionalProperties),
    ...itemsOf(schema),
    boundsScalars: ABOUT_SCALARS.some(says),
    members: Array.isArray(schema["enum"]) ? new Set<unknown>(schema["enum"]) : undefined,
    isCombined: COMBINING.some(says),
    allOf: schemaList(schema["allOf"]),
    anyOf: schemaList(schema["anyOf"]),
    oneOf: schemaList(schema["oneOf"]),
  };
}

/** The texts in a list; none of anything else. */
export function textsIn(list: unknown): string[] {
  return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
}

function itemsOf(schema: JsonSchema): Pick<Keywords, "tuple" | "items"> {
  const { items, additionalItems } = schema;
  const tuple = schemaList(schema["prefixItems"] ?? (Array.isArray(items) ? items : undefined));
  const rest = items === undefined || Array.isArray(items) ? additionalItems : items;
  return { tuple, items: rest === undefined ? undefined : fromBoolean(rest) };
}

/** A keyword that a value breaks; `limit` where the checks ended before the value did. */
export type Breakable =
  | "limit"
  | "type"
  | "const"
  | "enum"
  | "required"
  | "additionalProperties"
  | "minProperties"
  | "maxProperties"
  | "dependentRequired"
  | "minItems"
  | "maxItems"
  | "uniqueItems"
  | "minContains"
  | "maxContains"
  | "minLength"
  | "maxLength"
  | "format"
  | "pattern"
  | "minimum"
  | "maximum"
  | "exclusiveMinimum"
  | "exclusiveMaximum"
  | "multipleOf"
  | "$ref"
  | "anyOf"
  | "oneOf"
  | "not";

/** What a value breaks, and where. `issueOf` says it in words; most callers ask only whether there is any. */
export interface Fault {
  readonly path: string;
  readonly keyword: Breakable;
  /** What the words name besides: the expected type, the format, how a pattern failed, how many alternatives fit. */
  readonly detail?: unknown;
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
