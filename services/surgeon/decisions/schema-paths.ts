import type { JsonSchema } from "#shared/json";
import { below, isObject } from "#shared/schema";

/** Maximum number of listed paths, and their maximum depth. */
const PATHS_MAX = 200;
const DEPTH_MAX = 8;

interface SchemaPath {
  /** JSON pointer, with `*` for the items of a list. */
  readonly path: string;
  /** Marks at this path or above. */
  readonly isLocked: boolean;
  readonly needsTwo: boolean;
}

/** Returns the paths that a contract lets the surgeon change, as JSON pointers; `*` is any item or member. */
export function writablePaths(schema: JsonSchema): string[] {
  return pathsOf(schema)
    .paths.filter((entry) => !entry.isLocked && !entry.needsTwo && entry.path !== "")
    .map((entry) => entry.path);
}

/** Returns true when a change here needs two people; any does where marks are in a contract too large to search. */
export function needsTwoPeople(schema: JsonSchema, pointer: string): boolean {
  if (!JSON.stringify(schema).includes('"x-two-person":true')) return false;
  const { paths, isWhole } = pathsOf(schema);
  if (!isWhole) return true;
  const marked = paths.filter((entry) => entry.needsTwo);
  const steps = pointer.split("/");
  return marked.some(({ path }) => {
    const wanted = path.split("/");
    const shared = Math.min(wanted.length, steps.length);
    return wanted.slice(0, shared).every((step, i) => step === "*" || step === steps[i]);
  });
}

/** Lists a contract's declared paths, outer first, in unions and local `$ref`s, and whether that is complete. */
function pathsOf(schema: JsonSchema): { readonly paths: readonly SchemaPath[]; readonly isWhole: boolean } {
  const found = new Map<string, SchemaPath>();
  let isWhole = true;
  const walk = (node: unknown, at: SchemaPath & { readonly depth: number }): void => {
    const own = resolve(schema, node);
    if (own === null) return;
    if (at.depth > DEPTH_MAX || found.size >= PATHS_MAX) {
      isWhole = false;
      return;
    }
    const known = found.get(at.path);
    const entry = {
      path: at.path,
      isLocked: at.isLocked || known?.isLocked === true || own["x-locked"] === true,
      needsTwo: at.needsTwo || known?.needsTwo === true || own["x-two-person"] === true,
    };
    found.set(at.path, entry);
    for (const { step, child } of childrenOf(own)) {
      walk(child, { ...entry, path: at.path + step, depth: at.depth + 1 });
    }
  };
  walk(schema, { path: "", isLocked: false, needsTwo: false, depth: 0 });
  return { paths: [...found.values()], isWhole };
}

/** Keywords with the schema of every item, or of every undeclared member. */
const ANY = ["items", "additionalProperties", "unevaluatedProperties"];

function childrenOf(node: Record<string, unknown>): { step: string; child: unknown }[] {
  const properties = isObject(node["properties"]) ? Object.entries(node["properties"]) : [];
  const patterns = isObject(node["patternProperties"]) ? Object.values(node["patternProperties"]) : [];
  const prefix = Array.isArray(node["prefixItems"]) ? node["prefixItems"] : [];
  const branches = ["anyOf", "oneOf", "allOf"].flatMap((name) =>
    Array.isArray(node[name]) ? node[name] : [],
  );
  return [
    ...properties.map(([name, child]) => ({ step: below("", name), child })),
    ...branches.map((child: unknown) => ({ step: "", child })),
    ...[...ANY.map((name) => node[name]), ...patterns]
      .filter((child) => isObject(child) && Object.keys(child).length > 0)
      .map((child) => ({ step: "/*", child })),
    ...prefix.map((child: unknown, index) => ({ step: `/${index}`, child })),
  ];
}

function resolve(schema: JsonSchema, node: unknown): Record<string, unknown> | null {
  if (!isObject(node)) return null;
  const reference = node["$ref"];
  if (reference === "#") return schema;
  if (typeof reference !== "string" || !reference.startsWith("#/$defs/")) return node;
  const defs = schema["$defs"];
  const target = isObject(defs) ? defs[reference.slice("#/$defs/".length)] : undefined;
  return isObject(target) ? { ...target, ...node, $ref: undefined } : null;
}
