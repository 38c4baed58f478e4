import type { JsonSchema } from "#shared/json";
import { alternativesOf, asSchema, flatten, isObject, membersOf, propertiesOf } from "#shared/schema";

/** The parts of a schema that decide its XML form. */
export interface SchemaPart {
  readonly type: "object" | "array" | "string" | "number" | "boolean" | "null" | "any";
  readonly isNullable: boolean;
  readonly properties: ReadonlyMap<string, JsonSchema>;
  readonly required: ReadonlySet<string>;
  /** Schema of a list's items, or of undeclared members. */
  readonly inner: JsonSchema;
  /** Enum values that a text can stand for. */
  readonly enumerated: readonly (string | number | boolean)[];
  readonly description: string;
}

/** Cache by schema, because every element of an answer asks. */
const partsByRoot = new WeakMap<JsonSchema, WeakMap<JsonSchema, SchemaPart>>();

/** Reads one schema with references resolved. Merges the members of alternatives. */
export function partOf(schema: JsonSchema, root: JsonSchema): SchemaPart {
  const parts = partsByRoot.get(root) ?? new WeakMap<JsonSchema, SchemaPart>();
  partsByRoot.set(root, parts);
  const part = parts.get(schema) ?? readPart(schema, root);
  parts.set(schema, part);
  return part;
}

function readPart(schema: JsonSchema, root: JsonSchema): SchemaPart {
  const flat = flatten(schema, root);
  const alternatives = alternativesOf(flat).map((one) => flatten(one, root));
  const real = alternatives.filter((one) => one["type"] !== "null" && one["const"] !== null);
  const types = typesOf(flat, real);
  const all = real.length === 0 ? [flat] : [flat, ...real];
  const [first] = real;
  const own = real.length === 1 && first !== undefined ? first : flat;
  return {
    type: types.find((type) => type !== "null") ?? (types.includes("null") ? "null" : "any"),
    isNullable: types.includes("null") || alternatives.length > real.length,
    properties: new Map(
      all.toReversed().flatMap((one) => Object.entries(propertiesOf(one)).flatMap(asEntry)),
    ),
    required: new Set(
      all.flatMap((one) => (Array.isArray(one["required"]) ? one["required"].map(String) : [])),
    ),
    inner: asSchema(own["items"]) ?? asSchema(own["additionalProperties"]) ?? {},
    enumerated: (membersOf(own) ?? []).filter(
      (one) => typeof one === "string" || typeof one === "number" || typeof one === "boolean",
    ),
    description: typeof flat["description"] === "string" ? flat["description"] : "",
  };
}

function asEntry([name, schema]: [string, unknown]): [string, JsonSchema][] {
  return isObject(schema) ? [[name, schema]] : [];
}

const TYPES = ["object", "array", "string", "number", "boolean", "null"] as const;

/** All allowed types; an integer is a number, an enum value has its own type. */
function typesOf(flat: JsonSchema, real: readonly JsonSchema[]): SchemaPart["type"][] {
  const named = [flat, ...real].flatMap((one) => [one["type"]].flat());
  const values = [flat, ...real].flatMap((one) => membersOf(one) ?? []).map(typeOfValue);
  return [...named.map((type) => (type === "integer" ? "number" : type)), ...values].flatMap(
    (type) => TYPES.find((known) => known === type) ?? [],
  );
}

function typeOfValue(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value;
}
