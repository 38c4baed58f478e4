import type { JsonSchema } from "#shared/contract";

/** A schema as an endpoint is sent it. */
export interface StrictSchema {
  /** True: the endpoint may be asked to enforce it. False: strict mode has no words for it; it is sent as a hint. */
  readonly strict: boolean;
  readonly schema: JsonSchema;
}

/** Objects within objects that strict mode takes. */
const DEPTH_MAX = 10;
/** Properties in all that strict mode takes. */
const PROPERTIES_MAX = 5_000;

/** Keywords whose meaning strict mode lacks; the model reads them in the description, the contract checks them. */
const CONSTRAINTS: readonly string[] = [
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
];

/** Keywords that say how a value is built; one that is not translated below makes a schema inexpressible. */
const STRUCTURE: readonly string[] = [
  "allOf",
  "not",
  "if",
  "then",
  "else",
  "prefixItems",
  "contains",
  "patternProperties",
  "propertyNames",
  "dependentRequired",
  "dependentSchemas",
  "unevaluatedProperties",
  "unevaluatedItems",
  "$dynamicRef",
];

/**
 * Writes a contract's schema the way OpenAI's strict mode takes it: every property is required (an optional one becomes
 * nullable, see `dropAddedNulls`), objects are closed, `oneOf` is `anyOf`, `const` an `enum`, and constraints move
 * into the description. What strict mode cannot say (records, tuples, intersections, open objects, free values, a root
 * that is no object) comes back with `strict: false` and without our own keywords. Never throws.
 */
export function toStrictSchema(jsonSchema: JsonSchema): StrictSchema {
  try {
    const translation: Translation = { propertyCount: 0 };
    const root = translate(jsonSchema, translation, 0);
    if (root["type"] !== "object") throw new InexpressibleError();
    return { strict: true, schema: root };
  } catch (error) {
    if (!(error instanceof InexpressibleError)) throw error;
    return { strict: false, schema: withoutPrivateKeywords(jsonSchema) };
  }
}

/** Leaves the translation; never leaves this file. */
class InexpressibleError extends Error {}

interface Translation {
  propertyCount: number;
}

function isRecord(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function asSchema(value: unknown): JsonSchema {
  if (!isRecord(value)) throw new InexpressibleError();
  return value;
}

function asSchemas(value: unknown): Record<string, JsonSchema> {
  return mapEntries(asSchema(value ?? {}), asSchema);
}

function mapEntries<From, To>(
  record: { readonly [key: string]: From },
  map: (value: From, key: string) => To,
) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]));
}

function translate(schema: JsonSchema, translation: Translation, depth: number): JsonSchema {
  if (depth > DEPTH_MAX || STRUCTURE.some((keyword) => keyword in schema)) throw new InexpressibleError();
  const body = translateBody(schema, translation, depth);
  // An endpoint refuses words beside a reference.
  const description = "$ref" in body ? undefined : describe(schema);
  const definitions = schema["$defs"];
  return {
    ...body,
    ...(description === undefined ? {} : { description }),
    ...(definitions === undefined
      ? {}
      : { $defs: mapEntries(asSchemas(definitions), (each) => translate(each, translation, depth)) }),
  };
}

function translateBody(schema: JsonSchema, translation: Translation, depth: number): JsonSchema {
  const reference = schema["$ref"];
  if (reference !== undefined) {
    if (typeof reference !== "string" || !/^#(\/\$defs\/[^/]+)?$/.test(reference))
      throw new InexpressibleError();
    return { $ref: reference };
  }
  const branches = schema["anyOf"] ?? schema["oneOf"];
  if (branches !== undefined) {
    if (!Array.isArray(branches) || "properties" in schema) throw new InexpressibleError();
    return { anyOf: branches.map((branch) => translate(asSchema(branch), translation, depth)) };
  }
  const type = schema["type"];
  if ("const" in schema) return withType(type, { enum: [schema["const"]] });
  if ("enum" in schema) return withType(type, { enum: schema["enum"] });
  if (type === "object") return translateObject(schema, translation, depth);
  if (type === "array") return { type, items: translate(asSchema(schema["items"]), translation, depth + 1) };
  if (typeof type === "string") return { type };
  if (Array.isArray(type) && !type.includes("object") && !type.includes("array")) return { type };
  throw new InexpressibleError();
}

function withType(type: unknown, body: JsonSchema): JsonSchema {
  return type === undefined ? body : { type, ...body };
}

function translateObject(schema: JsonSchema, translation: Translation, depth: number): JsonSchema {
  const extra = schema["additionalProperties"];
  if (extra !== undefined && extra !== false) throw new InexpressibleError();
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  const properties = mapEntries(asSchemas(schema["properties"]), (property, name) => {
    const translated = translate(property, translation, depth + 1);
    return required.has(name) || acceptsNull(translated) ? translated : nullable(translated);
  });
  translation.propertyCount += Object.keys(properties).length;
  if (translation.propertyCount > PROPERTIES_MAX) throw new InexpressibleError();
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

function nullable(schema: JsonSchema): JsonSchema {
  const { description, ...rest } = schema;
  return { anyOf: [rest, { type: "null" }], ...(description === undefined ? {} : { description }) };
}

/** Whether null is a value of the schema by its own words. A reference is taken to be no. */
export function acceptsNull(schema: JsonSchema): boolean {
  const { type, enum: members, anyOf, oneOf } = schema;
  if (Array.isArray(members)) return members.includes(null);
  if ("const" in schema) return schema["const"] === null;
  if (type === "null" || (Array.isArray(type) && type.includes("null"))) return true;
  const branches = anyOf ?? oneOf;
  return Array.isArray(branches) && branches.some((branch) => acceptsNull(asSchema(branch)));
}

function describe(schema: JsonSchema): string | undefined {
  const limits = CONSTRAINTS.filter((keyword) => keyword in schema).map(
    (keyword) => `${keyword} ${String(schema[keyword])}`,
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
