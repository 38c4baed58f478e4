import type { JsonSchema } from "#shared/json";
import {
  alternativesOf,
  cachedBy,
  flatten,
  fromBoolean,
  isObject,
  itemSchema,
  memberSchema,
} from "#shared/schema";
import type { JsonValue } from "#shared/schema";

/** Nesting below which everything counts as sensitive; the envelope allows no deeper payload. */
const DEPTH_MAX = 128;

/** Maximum number of union alternatives examined at one path. */
const ALTERNATIVES_MAX = 64;

type Scalar = string | number;

/** Returns true when a JSON Schema marks anything as `x-sensitive`. */
export const hasSensitive = cachedBy((schema: JsonSchema): boolean =>
  JSON.stringify(schema).includes('"x-sensitive":true'),
);

/** Collects the distinct texts and numbers at sensitive paths. */
export function sensitiveValues(value: JsonValue, schema: JsonSchema): Scalar[] {
  const found = new Set<Scalar>();
  mapSensitive(value, schema, (one) => (found.add(one), one));
  return [...found];
}

/** Returns what to show for a value. `isLost`: its path is not declared, so that it may be a sensitive one. */
type Replace = (value: Scalar, isLost: boolean) => Scalar;

/**
 * Returns a copy of a payload with `replace` applied at the places that its contract marks, in any union or reference.
 * In a broken payload, members that a closed object does not know count as sensitive.
 * @param others - Applied to texts, numbers and undeclared names elsewhere, but not to listed values. Default: none.
 */
export function mapSensitive(
  value: JsonValue,
  schema: JsonSchema,
  replace: Replace,
  others?: (value: Scalar) => Scalar,
): JsonValue {
  if (!hasSensitive(schema) && others === undefined) return value;
  return walk(
    value,
    { schemas: [schema], isMarked: false, isLost: false, depth: 0 },
    { root: schema, replace, others },
  );
}

interface Place {
  readonly schemas: readonly JsonSchema[];
  readonly isMarked: boolean;
  /** True at a path that the contract does not declare: the value may belong at a marked one. */
  readonly isLost: boolean;
  readonly depth: number;
}

interface Walk {
  readonly root: JsonSchema;
  readonly replace: Replace;
  readonly others: ((value: Scalar) => Scalar) | undefined;
}

function walk(value: JsonValue, place: Place, on: Walk): JsonValue {
  const schemas = expand(place.schemas, on.root);
  const isMarked =
    place.isMarked || place.depth > DEPTH_MAX || schemas.some((schema) => schema["x-sensitive"] === true);
  const { isLost } = place;
  const depth = place.depth + 1;
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      const below = schemas.map((schema) => itemSchema(schema, index)).filter((one) => one !== undefined);
      const isUnknown = below.length === 0 && schemas.some(holdsMark);
      return walk(item, { schemas: below, isMarked, isLost: isLost || isUnknown, depth }, on);
    });
  }
  if (isObject(value)) return walkMembers(value, { schemas, isMarked, isLost, depth }, on);
  const isValue = (typeof value === "string" && value !== "") || typeof value === "number";
  if (!isValue) return value;
  const isKnown = isMarked || schemas.some(holdsMark);
  if (isKnown || isLost) return on.replace(value, !isKnown);
  return on.others === undefined || schemas.some((one) => isListedBy(one, value)) ? value : on.others(value);
}

function isListedBy(schema: JsonSchema, value: Scalar): boolean {
  const listed = schema["enum"];
  return schema["const"] === value || (Array.isArray(listed) && listed.includes(value));
}

function walkMembers(value: { readonly [key: string]: JsonValue }, at: Place, on: Walk): JsonValue {
  const isClosed = at.schemas.some((schema) => isObject(schema["properties"]));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const declared = at.schemas
        .map((schema) => memberSchema(schema, key))
        .filter((one) => one !== undefined);
      const rest = at.schemas.flatMap((schema) => restOf(schema));
      const schemas = declared.length > 0 ? declared : rest;
      const isUnknown = schemas.length === 0 && (isClosed || at.schemas.some(holdsMark));
      // Undeclared names are data too, such as those of a map by person.
      const rename = at.isMarked ? (one: string) => on.replace(one, false) : on.others;
      const name = declared.length === 0 && rename !== undefined ? String(rename(key)) : key;
      return [name, walk(inner, { ...at, schemas, isLost: at.isLost || isUnknown }, on)];
    }),
  );
}

/** Returns true when a schema or its references mark anything: a value of another shape may be meant for it. */
function holdsMark(schema: JsonSchema): boolean {
  return hasSensitive(schema) || refers(schema);
}

const refers = cachedBy((schema: JsonSchema) => JSON.stringify(schema).includes('"$ref"'));

/** Schema of undeclared members; none where they are refused or unrestricted. */
function restOf(schema: JsonSchema): JsonSchema[] {
  const rest = schema["additionalProperties"] ?? schema["unevaluatedProperties"];
  return isObject(rest) ? [fromBoolean(rest)] : [];
}

/** Resolves references and adds the alternatives of unions. */
function expand(schemas: readonly JsonSchema[], root: JsonSchema): JsonSchema[] {
  const found: JsonSchema[] = [];
  const left = [...schemas];
  for (let next = left.shift(); next !== undefined && found.length < ALTERNATIVES_MAX; next = left.shift()) {
    const flat = flatten(next, root);
    found.push(flat);
    left.push(...alternativesOf(flat));
    for (const keyword of ["then", "else"])
      if (flat[keyword] !== undefined) left.push(fromBoolean(flat[keyword]));
  }
  return found;
}
