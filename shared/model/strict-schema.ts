import type { JsonSchema } from "#shared/json";
import { isRecord, pointerStep } from "#shared/json";
import { findStrictFaults } from "./strict-rules.ts";
import type { StrictFault } from "./strict-rules.ts";

/** A schema as an endpoint is sent it. */
export interface StrictSchema {
  /** True: the endpoint may be asked to enforce it. False: strict mode has no words for it; it is sent as a hint. */
  readonly strict: boolean;
  readonly schema: JsonSchema;
  /** Faults that keep it from being strict, with places in the schema as given or, for bounds, as translated. */
  readonly faults: readonly StrictFault[];
}

/** Levels that are translated; `findStrictFaults` counts them exactly. */
const DEPTH_MAX = 64;

/**
 * Keywords that only narrow a value. The model reads them in the description and the contract checks them; none is
 * sent, because fine-tuned models and some providers refuse what others take, and patterns may not look around.
 */
const CONSTRAINTS: readonly string[] = (
  "format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum multipleOf " +
  "minItems maxItems uniqueItems"
).split(" ");

/** Keywords that say how a value is built; one that is not translated below makes a schema inexpressible. */
const STRUCTURE: readonly string[] = (
  "not if then else prefixItems contains patternProperties propertyNames dependentRequired " +
  "dependentSchemas unevaluatedProperties unevaluatedItems $dynamicRef"
).split(" ");

const translated = new WeakMap<JsonSchema, StrictSchema>();

/**
 * Writes a contract's schema for OpenAI's strict mode: all properties required (optional ones nullable, see
 * `dropAddedNulls`), objects closed, `oneOf` as `anyOf`, `const` as `enum`, `allOf` folded, constraints described. What
 * it cannot say comes back with `strict: false` and the reasons. Never throws. A schema is translated once.
 */
export function toStrictSchema(jsonSchema: JsonSchema): StrictSchema {
  const known = translated.get(jsonSchema);
  if (known !== undefined) return known;
  const made = translateRoot(jsonSchema);
  translated.set(jsonSchema, made);
  return made;
}

function translateRoot(jsonSchema: JsonSchema): StrictSchema {
  try {
    const schema = translate(jsonSchema, { path: "", depth: 0 });
    const faults = findStrictFaults(schema);
    if (faults.length === 0) return { strict: true, schema, faults };
    return { strict: false, schema: withoutPrivateKeywords(jsonSchema), faults };
  } catch (error) {
    if (!(error instanceof InexpressibleError)) throw error;
    return { strict: false, schema: withoutPrivateKeywords(jsonSchema), faults: [error.fault] };
  }
}

/** Leaves the translation; never leaves this file. */
class InexpressibleError extends Error {
  readonly fault: StrictFault;

  constructor(path: string, problem: string) {
    super();
    this.fault = { path, problem };
  }
}

interface Place {
  readonly path: string;
  readonly depth: number;
}

function below({ path, depth }: Place, step: string): Place {
  return { path: path + pointerStep(step), depth: depth + 1 };
}

function asSchema(value: unknown, { path }: Place): JsonSchema {
  if (!isRecord(value)) throw new InexpressibleError(path, "this is no schema");
  return value;
}

function mapEntries<From, To>(
  record: { readonly [key: string]: From },
  map: (value: From, key: string) => To,
) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

function translate(given: JsonSchema, place: Place): JsonSchema {
  const { path, depth } = place;
  if (depth > DEPTH_MAX) throw new InexpressibleError(path, "it is nested too deep");
  const schema = foldAllOf(given, place);
  const unsupported = STRUCTURE.find((keyword) => keyword in schema);
  if (unsupported !== undefined) throw new InexpressibleError(path, `${unsupported} has no strict form`);
  const body = translateBody(schema, place);
  // An endpoint refuses words beside a reference.
  const description = "$ref" in body ? undefined : describe(schema);
  const definitions = schema["$defs"];
  return {
    ...body,
    ...(description === undefined ? {} : { description }),
    ...(definitions === undefined ? {} : { $defs: translateNamed(definitions, below(place, "$defs")) }),
  };
}

function translateNamed(schemas: unknown, place: Place): Record<string, JsonSchema> {
  return mapEntries(asSchema(schemas, place), (each, name) => {
    const inner = below(place, name);
    return translate(asSchema(each, inner), inner);
  });
}

function translateBody(schema: JsonSchema, place: Place): JsonSchema {
  if (schema["$ref"] !== undefined) return { $ref: schema["$ref"] };
  const branches = schema["anyOf"] ?? schema["oneOf"];
  if (branches !== undefined) {
    if (!Array.isArray(branches) || "properties" in schema)
      throw new InexpressibleError(place.path, "a union beside properties has no strict form");
    const inner = below(place, "anyOf" in schema ? "anyOf" : "oneOf");
    return {
      anyOf: branches.map((branch, index) => {
        const at = below(inner, String(index));
        return translate(asSchema(branch, at), at);
      }),
    };
  }
  const type = schema["type"];
  const values = "const" in schema ? [schema["const"]] : schema["enum"];
  if (values !== undefined) return { type: type ?? typeOf(values, place), enum: values };
  if (type === "object") return translateObject(schema, place);
  if (type === "array") {
    const items = below(place, "items");
    return { type, items: translate(asSchema(schema["items"], items), items) };
  }
  if (typeof type === "string") return { type };
  if (Array.isArray(type) && !type.includes("object") && !type.includes("array")) return { type };
  throw new InexpressibleError(place.path, "it takes any value");
}

/** The type that an enum leaves unsaid, which endpoints ask for. */
function typeOf(values: unknown, { path }: Place): string | string[] {
  const types = (Array.isArray(values) ? values : []).map((value: unknown) => {
    if (value === null) return "null";
    if (typeof value === "object")
      throw new InexpressibleError(path, "an enum of objects has no strict form");
    return typeof value;
  });
  const [first, ...others] = new Set(types);
  if (first === undefined) throw new InexpressibleError(path, "it takes no value");
  return others.length === 0 ? first : [first, ...others];
}

function translateObject(schema: JsonSchema, place: Place): JsonSchema {
  const extra = schema["additionalProperties"];
  if (extra !== undefined && extra !== false)
    throw new InexpressibleError(place.path, "it is open: it takes properties that it does not name");
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const named = translateNamed(schema["properties"] ?? {}, below(place, "properties"));
  const properties = mapEntries(named, (property, name) =>
    required.has(name) || acceptsNull(property) ? property : nullable(property),
  );
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

function nullable(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  return { anyOf: [rest, { type: "null" }], ...(description === undefined ? {} : { description }) };
}

/** Takes the schemas of `allOf` into the one that they narrow. Constraints of one kind are kept side by side. */
function foldAllOf(schema: JsonSchema, place: Place): JsonSchema {
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf)) return schema;
  return allOf.reduce<JsonSchema>((whole, part: unknown, index) => {
    const at = below(below(place, "allOf"), String(index));
    return merge(whole, foldAllOf(asSchema(part, at), at), at);
  }, own);
}

const ANNOTATION = /^(?:x-.*|description|title)$/;

function merge(whole: JsonSchema, part: JsonSchema, { path }: Place): JsonSchema {
  const merged: Record<string, unknown> = { ...whole };
  for (const [keyword, value] of Object.entries(part)) {
    const before = whole[keyword];
    if (before === undefined) merged[keyword] = value;
    else if (CONSTRAINTS.includes(keyword)) merged[keyword] = [before, value].flat();
    else if (keyword === "required") merged[keyword] = [...new Set([before, value].flat())];
    else if (keyword === "properties" && areApart(before, value))
      merged[keyword] = Object.assign({}, before, value);
    else if (!ANNOTATION.test(keyword) && JSON.stringify(before) !== JSON.stringify(value))
      throw new InexpressibleError(path, `it has another ${keyword} than what it narrows`);
  }
  return merged;
}

function areApart(left: unknown, right: unknown): boolean {
  return isRecord(left) && isRecord(right) && Object.keys(left).every((name) => !Object.hasOwn(right, name));
}

/** Returns true where null is a value of the schema by its own words. A reference is taken to be no. */
export function acceptsNull(schema: JsonSchema): boolean {
  const { type, enum: members, anyOf, oneOf } = schema;
  if (Array.isArray(members)) return members.includes(null);
  if ("const" in schema) return schema["const"] === null;
  if (type !== undefined) return type === "null" || (Array.isArray(type) && type.includes("null"));
  const branches = anyOf ?? oneOf;
  if (Array.isArray(branches)) return branches.some((branch) => isRecord(branch) && acceptsNull(branch));
  // A schema without any of these takes every value.
  return !("$ref" in schema || "allOf" in schema);
}

function describe(schema: JsonSchema): string | undefined {
  const limits = CONSTRAINTS.filter((keyword) => keyword in schema).flatMap((keyword) =>
    [schema[keyword]].flat().map((limit) => `${keyword} ${String(limit)}`),
  );
  const own = schema["description"];
  const parts = [typeof own === "string" ? own : "", limits.length === 0 ? "" : `(${limits.join(", ")})`];
  return parts.filter((part) => part !== "").join(" ") || undefined;
}

/** Keywords whose value is a record of named schemas: its keys are names, not keywords. */
const NAMED: readonly string[] = ["properties", "$defs", "patternProperties", "dependentSchemas"];
/** Keywords whose value is data, not schemas. */
const DATA: readonly string[] = ["enum", "const", "default", "examples", "required"];

function withoutPrivateKeywords(schema: JsonSchema): JsonSchema {
  const kept = Object.entries(schema).filter(
    ([keyword]) => !keyword.startsWith("x-") && keyword !== "$schema",
  );
  return Object.fromEntries(
    kept.map(([keyword, value]) => {
      if (DATA.includes(keyword)) return [keyword, value];
      if (NAMED.includes(keyword) && isRecord(value)) return [keyword, mapEntries(value, withoutPrivateIn)];
      return [keyword, withoutPrivateIn(value)];
    }),
  );
}

function withoutPrivateIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrivateIn);
  return isRecord(value) ? withoutPrivateKeywords(value) : value;
}
