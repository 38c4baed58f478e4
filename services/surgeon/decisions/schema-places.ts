import type { JsonSchema } from "#shared/contract";
import { below, isObject } from "#shared/schema";

/** Places of one contract that are listed at most, and how deep they are looked for. */
const PLACES_MAX = 200;
const DEPTH_MAX = 8;

interface Place {
  /** JSON pointer, with `*` for the items of a list. */
  readonly path: string;
  /** Marks that hold here or further up. */
  readonly isLocked: boolean;
  readonly needsTwo: boolean;
}

/** What a contract lets the surgeon change, as JSON pointers with `*` for list items and members of any name. */
export function writablePlaces(schema: JsonSchema): string[] {
  return placesOf(schema)
    .places.filter((place) => !place.isLocked && !place.needsTwo && place.path !== "")
    .map((place) => place.path);
}

/**
 * Whether a change at this pointer, or around it, needs two people. In a contract that marks such places and is
 * too large to look through, any change does.
 */
export function needsTwoPeople(schema: JsonSchema, pointer: string): boolean {
  if (!JSON.stringify(schema).includes('"x-two-person":true')) return false;
  const { places, isWhole } = placesOf(schema);
  if (!isWhole) return true;
  const marked = places.filter((place) => place.needsTwo);
  const steps = pointer.split("/");
  return marked.some(({ path }) => {
    const wanted = path.split("/");
    const shared = Math.min(wanted.length, steps.length);
    return wanted.slice(0, shared).every((step, i) => step === "*" || step === steps[i]);
  });
}

/**
 * The places a contract declares, outer ones first, and whether these are all. Unions are looked into; `$ref` is
 * followed inside `$defs`.
 */
function placesOf(schema: JsonSchema): { readonly places: readonly Place[]; readonly isWhole: boolean } {
  const found = new Map<string, Place>();
  let isWhole = true;
  const walk = (node: unknown, at: Place & { readonly depth: number }): void => {
    const own = resolve(schema, node);
    if (own === null) return;
    if (at.depth > DEPTH_MAX || found.size >= PLACES_MAX) {
      isWhole = false;
      return;
    }
    const known = found.get(at.path);
    const place = {
      path: at.path,
      isLocked: at.isLocked || known?.isLocked === true || own["x-locked"] === true,
      needsTwo: at.needsTwo || known?.needsTwo === true || own["x-two-person"] === true,
    };
    found.set(at.path, place);
    for (const { step, child } of childrenOf(own)) {
      walk(child, { ...place, path: at.path + step, depth: at.depth + 1 });
    }
  };
  walk(schema, { path: "", isLocked: false, needsTwo: false, depth: 0 });
  return { places: [...found.values()], isWhole };
}

/** Keywords that say what every item, or every member of a name that is not declared, is like. */
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
