import type { JsonSchema } from "#shared/json";
import { canonical, isObject } from "./json-value.ts";
import type { JsonValue } from "./json-value.ts";

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
