import type { JsonSchema } from "#shared/json";
import { canonical, has, isObject } from "./json-value.ts";
import type { JsonValue } from "./json-value.ts";
import { alternativesOf, asSchema, flatten, fromBoolean } from "./resolve.ts";
import { itemSchema } from "./validate/validate-values.ts";

/** Returns true when a schema, or every alternative, requires an object or a list. */
export function asksForContainer(schema: JsonSchema, root: JsonSchema = schema, depthMax = 16): boolean {
  const flat = flatten(schema, root);
  const alternatives = alternativesOf(flat);
  if (alternatives.length > 0)
    return depthMax > 0 && alternatives.every((one) => asksForContainer(one, root, depthMax - 1));
  const types = [flat["type"]].flat();
  return types.every((type) => type === "object" || type === "array");
}

/** Returns true when every member of a value is declared. A map of texts counts only under a declared name. */
export function isDeclared(value: JsonValue, schema: JsonSchema): boolean {
  return isKnown(value, schema, { root: schema, isNamed: false });
}

function isKnown(
  value: JsonValue,
  schema: JsonSchema,
  at: { readonly root: JsonSchema; readonly isNamed: boolean },
): boolean {
  const flat = flatten(schema, at.root);
  const alternatives = alternativesOf(flat);
  if (alternatives.length > 0) return alternatives.some((one) => isKnown(value, one, at));
  if (Array.isArray(value))
    return value.every((item, index) => isKnown(item, itemSchema(flat, index) ?? {}, at));
  if (!isObject(value)) return true;
  const properties = asSchema(flat["properties"]) ?? {};
  const others = asSchema(flat["additionalProperties"]);
  return Object.entries(value).every(([key, member]) => {
    if (has(properties, key)) return isKnown(member, fromBoolean(properties[key]), { ...at, isNamed: true });
    return others?.["type"] !== undefined && (at.isNamed || others["type"] !== "string");
  });
}

/** Maximum number of subschemas examined; the rest of a larger schema is ignored. */
const NODES_MAX = 20_000;
const DEPTH_MAX = 64;

/** Literals of a contract, which are no facts of a message. */
export interface ContractLiterals {
  readonly names: ReadonlySet<string>;
  /** Members of enums and constants, canonical. */
  readonly listed: ReadonlySet<string>;
  /** Defaults and sole members, canonical. */
  readonly defaults: ReadonlySet<string>;
}

type Literals = { readonly [Name in keyof ContractLiterals]: Set<string> };

/** Collects the names that a contract declares and the values that it lists. Bounded. */
export function literalsOf(schema: JsonSchema): ContractLiterals {
  const literals: Literals = { names: new Set(), listed: new Set(), defaults: new Set() };
  let left = NODES_MAX;
  const walk = (node: unknown, depth: number): void => {
    left -= 1;
    if (left < 0 || depth > DEPTH_MAX) return;
    if (Array.isArray(node)) for (const item of node) walk(item, depth + 1);
    if (!isObject(node)) return;
    collect(node, literals);
    for (const [key, inner] of Object.entries(node)) if (!VALUES.includes(key)) walk(inner, depth + 1);
  };
  walk(schema, 0);
  return literals;
}

/** Keywords whose content is data. */
const VALUES: readonly string[] = ["enum", "const", "default", "examples"];

function collect(node: Readonly<Record<string, JsonValue>>, literals: Literals): void {
  const properties = node["properties"];
  if (isObject(properties)) for (const name of Object.keys(properties)) literals.names.add(name);
  const members = node["enum"];
  const listed = Array.isArray(members) ? members : "const" in node ? [node["const"] ?? null] : [];
  for (const member of listed) literals.listed.add(canonical(member));
  const [only] = listed;
  if (listed.length === 1 && only !== undefined) literals.defaults.add(canonical(only));
  if ("default" in node) literals.defaults.add(canonical(node["default"] ?? null));
}
