import type { JsonSchema } from "#shared/json";
import type { Issue } from "#shared/errors";
import { copyOf, isObject, isSameJson, validate, validateWithin, valueAt } from "#shared/schema";
import type { JsonObject, JsonValue, Leaf, Places } from "#shared/schema";
import type { Objection } from "./proof.ts";

/** Maximum number of values that are put back. */
const TRIES_MAX = 64;

/** Maximum number of leaves validated in these tries, about a quarter of a second. */
const WORK_MAX = 400_000;

interface Both {
  readonly original: JsonValue;
  readonly repaired: JsonValue;
  readonly schema: JsonSchema;
  readonly check: ((value: JsonValue) => readonly Issue[]) | undefined;
  /** The contract at the original's paths. */
  readonly places: Places;
  readonly leaves: readonly Leaf[];
}

/**
 * Finds needless changes: puts each original value back and validates again. Detects an exchange of two valid values
 * (payer and payee), which loses nothing. Skips new paths, and former lists and objects.
 */
export function findNeedless(both: Both): Objection[] {
  const { original, places, schema } = both;
  const suspects = both.leaves.filter((leaf) => {
    const before = valueAt(original, leaf.steps);
    if (before === undefined || typeof before === "object" || isSameJson(before, leaf.value)) return false;
    const at = places.schemaAt(leaf);
    if (at === undefined) return false;
    return validateWithin(before, at.schema, { document: schema, issuesMax: 1 }).faults.length === 0;
  });
  if (suspects.length > TRIES_MAX || suspects.length * both.leaves.length > WORK_MAX)
    return [objection("", "too many values were changed that kept the contract")];
  // One scratch copy, changed and restored for each value.
  const scratch = copyOf(both.repaired);
  return suspects
    .filter((leaf) => keepsContract(both, { leaf, scratch }))
    .map(({ path }) => objection(path, "the value that stood here kept the contract"));
}

function objection(path: string, message: string): Objection {
  return { path, code: "needless", message };
}

/** Returns true when the repair stays valid with the original's value at one path. */
function keepsContract(
  { original, schema, check }: Both,
  { leaf, scratch }: { readonly leaf: Leaf; readonly scratch: JsonValue },
): boolean {
  const { steps } = leaf;
  const before = valueAt(original, steps) ?? null;
  const last = steps.at(-1);
  if (last === undefined) return takes({ value: before, schema, check });
  const holder = valueAt(scratch, steps.slice(0, -1));
  if (!isObject(holder) && !Array.isArray(holder)) return false;
  // The repair has this member or index, and `__proto__` was rejected before.
  const place = holder as JsonObject;
  place[last] = before;
  try {
    return takes({ value: scratch, schema, check });
  } finally {
    place[last] = leaf.value;
  }
}

function takes({ value, schema, check }: Pick<Both, "schema" | "check"> & { value: JsonValue }): boolean {
  if (validate(value, schema, { issuesMax: 1 }).length > 0) return false;
  try {
    return (check?.(value) ?? []).length === 0;
  } catch {
    return false;
  }
}
