import type { JsonSchema } from "#shared/contract";
import type { Issue } from "#shared/errors";
import { copyOf, isObject, isSameJson, validate, validateWithin, valueAt } from "#shared/schema";
import type { JsonObject, JsonValue, Leaf, Places } from "#shared/schema";
import type { Objection } from "./proof.ts";

/** Values of one repair that are put back one by one to see whether the contract asked for their change. */
const TRIES_MAX = 64;

/** Values looked at in all of these tries: each looks at the whole repair. About a quarter of a second. */
const WORK_MAX = 400_000;

interface Both {
  readonly original: JsonValue;
  readonly repaired: JsonValue;
  readonly schema: JsonSchema;
  readonly check: ((value: JsonValue) => readonly Issue[]) | undefined;
  /** What the contract says of the original's places. */
  readonly places: Places;
  readonly leaves: readonly Leaf[];
}

/**
 * Finds values that were changed though the contract did not ask for it: with the original's value put back, the
 * repair keeps it just as well. Two sound values that changed places both come from the message, and nothing is
 * lost; only this tells that somebody was made to exchange payer and payee.
 *
 * Places that are new, or that held a list or an object, are not looked at here.
 */
export function findNeedless(both: Both): Objection[] {
  const { original, places, schema } = both;
  const suspects = both.leaves.filter((leaf) => {
    const before = valueAt(original, leaf.steps);
    if (before === undefined || typeof before === "object" || isSameJson(before, leaf.value)) return false;
    const at = places.schemaAt(leaf);
    if (at === undefined) return false;
    return validateWithin(before, at.schema, { document: schema, issuesMax: 1 }).issues.length === 0;
  });
  if (suspects.length > TRIES_MAX || suspects.length * both.leaves.length > WORK_MAX)
    return [objection("", "too many values were changed that kept the contract")];
  // One copy for all of them: each value is put back and taken out again.
  const scratch = copyOf(both.repaired);
  return suspects
    .filter((leaf) => keepsContract(both, { leaf, scratch }))
    .map(({ path }) => objection(path, "the value that stood here kept the contract"));
}

function objection(path: string, message: string): Objection {
  return { path, code: "needless", message };
}

/** Whether the repair keeps the contract with the original's value at one place. */
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
  // The last step names a member or an index that the repair has, and `__proto__` was objected to before.
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
