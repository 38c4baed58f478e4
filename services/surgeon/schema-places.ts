import type { JsonSchema } from "#shared/contract";

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

/** What a contract lets the surgeon change, as JSON pointers with `*` for list items. */
export function writablePlaces(schema: JsonSchema): string[] {
  return placesOf(schema)
    .filter((place) => !place.isLocked && place.path !== "")
    .map((place) => place.path);
}

/** Whether a change at this pointer, or around it, needs two people. */
export function needsTwoPeople(schema: JsonSchema, pointer: string): boolean {
  const marked = placesOf(schema).filter((place) => place.needsTwo);
  const steps = pointer.split("/");
  return marked.some(({ path }) => {
    const wanted = path.split("/");
    const shared = Math.min(wanted.length, steps.length);
    return wanted.slice(0, shared).every((step, i) => step === "*" || step === steps[i]);
  });
}

/** The places a contract declares, outer ones first. Unions are looked into; `$ref` is followed inside `$defs`. */
function placesOf(schema: JsonSchema): Place[] {
  const found = new Map<string, Place>();
  const walk = (node: unknown, at: Place & { readonly depth: number }): void => {
    const own = resolve(schema, node);
    if (own === null || at.depth > DEPTH_MAX || found.size >= PLACES_MAX) return;
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
  return [...found.values()];
}

function childrenOf(node: Record<string, unknown>): { step: string; child: unknown }[] {
  const properties = isObject(node["properties"]) ? Object.entries(node["properties"]) : [];
  const branches = ["anyOf", "oneOf", "allOf"].flatMap((name) =>
    Array.isArray(node[name]) ? node[name] : [],
  );
  return [
    ...properties.map(([name, child]) => ({
      step: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`,
      child,
    })),
    ...branches.map((child: unknown) => ({ step: "", child })),
    ...(isObject(node["items"]) ? [{ step: "/*", child: node["items"] }] : []),
  ];
}

function resolve(schema: JsonSchema, node: unknown): Record<string, unknown> | null {
  if (!isObject(node)) return null;
  const reference = node["$ref"];
  if (typeof reference !== "string" || !reference.startsWith("#/$defs/")) return node;
  const defs = schema["$defs"];
  const target = isObject(defs) ? defs[reference.slice("#/$defs/".length)] : undefined;
  return isObject(target) ? { ...target, ...node, $ref: undefined } : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
