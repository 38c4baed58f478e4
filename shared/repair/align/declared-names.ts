import type { JsonSchema } from "#shared/json";
import { folded } from "./match-words.ts";

const known = new WeakMap<JsonSchema, ReadonlySet<string>>();

/** All names that a schema declares at any depth, folded. Cached. */
export function namesOf(schema: JsonSchema): ReadonlySet<string> {
  const before = known.get(schema);
  if (before !== undefined) return before;
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    for (const [key, inner] of Object.entries(node)) {
      if (key === "properties" && typeof inner === "object" && inner !== null)
        for (const name of Object.keys(inner)) names.add(folded(name));
      visit(inner);
    }
  };
  visit(schema);
  known.set(schema, names);
  return names;
}
