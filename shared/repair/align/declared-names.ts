import { isContainer, kept } from "#shared/json";
import type { JsonSchema } from "#shared/json";
import { folded } from "./match-words.ts";

const known = new WeakMap<JsonSchema, ReadonlySet<string>>();

/** All names that a schema declares at any depth, folded. Cached. */
export function namesOf(schema: JsonSchema): ReadonlySet<string> {
  return kept(known, schema, namesIn);
}

function namesIn(schema: JsonSchema): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (node: unknown): void => {
    if (!isContainer(node)) return;
    for (const [key, inner] of Object.entries(node)) {
      if (key === "properties" && isContainer(inner))
        for (const name of Object.keys(inner)) names.add(folded(name));
      visit(inner);
    }
  };
  visit(schema);
  return names;
}
