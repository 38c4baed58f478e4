import { copyOf, isObject, isSameJson, Places, validate, validateWithin, valueAt } from "#shared/schema";
import type { JsonObject, JsonValue, Leaf } from "#shared/schema";
import type { Compared } from "./compared.ts";
import type { Objection, ProofInput } from "./proof.ts";

/** Maximum number of values that are put back. */
const TRIES_MAX = 64;

/** Maximum number of leaves validated in these tries, about a quarter of a second. */
const WORK_MAX = 400_000;

/**
 * Finds needless changes: puts each original value back and validates again. Detects an exchange of two valid values
 * (payer and payee), which loses nothing. Skips new paths, and former lists and objects.
 */
export function findNeedless(original: JsonValue, { input, leaves }: Compared): Objection[] {
  const { schema } = input;
  const places = new Places(original, schema);
  const suspects = leaves.filter((leaf) => {
    const before = valueAt(original, leaf.steps);
    if (before === undefined || typeof before === "object" || isSameJson(before, leaf.value)) return false;
    const at = places.schemaAt(leaf);
    if (at === undefined) return false;
    return validateWithin(before, at.schema, { document: schema, issuesMax: 1 }).faults.length === 0;
  });
  if (suspects.length > TRIES_MAX || suspects.length * leaves.length > WORK_MAX)
    return [objection("", "too many values were changed that kept the contract")];
  // One scratch copy, changed and restored for each value.
  const scratch = copyOf(input.repaired);
  return suspects
    .filter((leaf) => keepsContract(leaf, { original, scratch, input }))
    .map(({ path }) => objection(path, "the value that stood here kept the contract"));
}

function objection(path: string, message: string): Objection {
  return { path, code: "needless", message };
}

/** Returns true when the repair stays valid with the original's value at one path. */
function keepsContract(
  leaf: Leaf,
  {
    original,
    scratch,
    input,
  }: { readonly original: JsonValue; readonly scratch: JsonValue; readonly input: ProofInput },
): boolean {
  const { steps } = leaf;
  const before = valueAt(original, steps) ?? null;
  const last = steps.at(-1);
  if (last === undefined) return takes(before, input);
  const holder = valueAt(scratch, steps.slice(0, -1));
  if (!isObject(holder) && !Array.isArray(holder)) return false;
  // The repair has this member or index, and `__proto__` was rejected before.
  const place = holder as JsonObject;
  place[last] = before;
  try {
    return takes(scratch, input);
  } finally {
    place[last] = leaf.value;
  }
}

function takes(value: JsonValue, { schema, check }: ProofInput): boolean {
  if (validate(value, schema, { issuesMax: 1 }).length > 0) return false;
  try {
    return (check?.(value) ?? []).length === 0;
  } catch {
    return false;
  }
}
