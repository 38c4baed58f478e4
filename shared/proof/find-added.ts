import type { JsonSchema } from "#shared/json";
import {
  canonical,
  enumOf,
  isObject,
  isSameJson,
  nameOf,
  Places,
  validate,
  validateWithin,
  valueAt,
} from "#shared/schema";
import type { JsonObject, JsonValue, Leaf } from "#shared/schema";
import type { Compared } from "./diff-values.ts";
import type { Objection, ProofInput } from "./proof.ts";
import { pathsTo } from "./second-reading.ts";

type Place = Pick<Leaf, "path" | "steps">;

/** Finds what holds only what the contract fixes. @param isSaid - Returns true when a source says the value. */
export function findAdded(
  compared: Compared,
  isSaid: (leaf: Leaf, schema: JsonSchema) => boolean,
): Objection[] {
  const { leaves, kinds, places, originals } = compared;
  const isFixed = (at: number): boolean => kinds[at] === "contract";
  const told = new Set(leaves.flatMap((leaf, at) => (isFixed(at) ? [] : pathsTo(leaf.path))));
  const isBare = ({ path }: Place): boolean => !told.has(path);
  const given = countAlike(originals.leaves);
  const taken = countAlike(leaves);
  const isMoved = (leaf: Leaf): boolean =>
    (given.get(likeness(leaf)) ?? 0) >= (taken.get(likeness(leaf)) ?? 0);
  return leaves
    .filter((leaf, at) => {
      if (!isFixed(at)) return false;
      const choices = places.choicesAt(leaf);
      if (choices !== undefined && isBare(aboveOf(leaf))) return !isSaid(leaf, choices);
      const added = addedWith(leaf, compared);
      if (added === undefined || !isBare(added) || isMoved(leaf)) return false;
      return !isSaid(leaf, { enum: [leaf.value, null] });
    })
    .map(({ path, value }) => ({
      path,
      code: "invented",
      value,
      message: "that this is there at all follows from no source: it holds only what the contract fixes",
    }));
}

function likeness({ steps, value }: Leaf): string {
  return `${nameOf(steps)} ${canonical(value)}`;
}

function countAlike(leaves: readonly Leaf[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const leaf of leaves) counts.set(likeness(leaf), (counts.get(likeness(leaf)) ?? 0) + 1);
  return counts;
}

function aboveOf({ path, steps }: Place): Place {
  return { path: path.slice(0, path.lastIndexOf("/")), steps: steps.slice(0, -1) };
}

/** The outermost place above a leaf, or its own, that the original lacks and the contract does not ask for. */
function addedWith(leaf: Leaf, { places, original, input }: Compared): Place | undefined {
  const isOnly = enumOf(places.schemaAt(leaf)?.schema ?? {}, input.schema)?.length === 1;
  let added: Place | undefined;
  for (let at: Place = leaf; at.steps.length > 0; at = aboveOf(at)) {
    if ((valueAt(original, at.steps) ?? null) !== null) break;
    const above = places.schemaAt(aboveOf(at))?.schema ?? {};
    const isElement = !isObject(above["properties"]) && "items" in above;
    const required = above["required"];
    const isOptional = !Array.isArray(required) || !required.includes(at.steps.at(-1));
    if (isElement || (isOnly && isOptional)) added = at;
  }
  return added;
}

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
  const scratch = structuredClone(input.repaired);
  return suspects
    .filter((leaf) => keepsContract(leaf, valueAt(original, leaf.steps) ?? null, { scratch, input }))
    .map(({ path }) => objection(path, "the value that stood here kept the contract"));
}

function objection(path: string, message: string): Objection {
  return { path, code: "needless", message };
}

/** Returns true when the repair stays valid with the original's value at one path. */
function keepsContract(
  { steps, value }: Leaf,
  before: JsonValue,
  { scratch, input }: { readonly scratch: JsonValue; readonly input: ProofInput },
): boolean {
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
    place[last] = value;
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
