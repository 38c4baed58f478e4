import { joinTaint, labelsAt, labelsOf, TAINT_PLACES_MAX } from "#shared/guard";
import type { Taint } from "#shared/guard";
import type { ProvenanceEntry } from "#shared/proof";
import { isObject, isSameJson, leavesOf, scalarText, valueAt } from "#shared/schema";
import type { JsonValue, Leaf } from "#shared/schema";

export interface RepairedPayload {
  readonly before: JsonValue;
  readonly after: JsonValue;
  /** True for a model's repair: its values may come from everything that it was shown. */
  readonly byModel: boolean;
  /** As the proof found it. */
  readonly provenance: readonly ProvenanceEntry[];
  /** Labels that came with the dead message; null for none. */
  readonly came: Taint | null;
  /** Labels that the receiver declares for its payload, by JSON pointer. */
  readonly declared: Readonly<Record<string, string>>;
}

/** Written places that are labelled one by one; with more, the whole payload takes every label. */
const WRITTEN_MAX = 200;

/**
 * Returns a repaired payload's taint labels: each place that the repair wrote takes its sources'; a model's value the
 * whole message's, one of unknown origin every label. A contract's or person's value adds none.
 */
export function labelRepair(repaired: RepairedPayload): Taint | null {
  const { before, after, came, declared } = repaired;
  const taint = joinTaint(came, declared);
  const all = labelsOf(taint);
  if (all.length === 0) return came;
  // Its author labelled the places of another shape.
  if (!isObject(before) && !Array.isArray(before)) return { "": all };
  const written = leavesOf(after).filter(({ steps, value }) => !isSameAt(before, { steps, value }));
  if (written.length > WRITTEN_MAX) return { "": all };
  const kinds = new Map(repaired.provenance.map(({ path, kind }) => [path, kind]));
  const labelled = written.flatMap((leaf) => {
    const sources = sourceLabels(leaf, { repaired, kind: kinds.get(leaf.path), taint, all });
    const own = new Set(labelsAt(taint, leaf.path));
    if (sources.every((label) => own.has(label))) return [];
    return [[leaf.path, [...own.union(new Set(sources))]] as const];
  });
  if (labelled.length === 0) return came;
  const places = { ...came, ...Object.fromEntries(labelled) };
  return Object.keys(places).length > TAINT_PLACES_MAX ? { "": all } : places;
}

function isSameAt(before: JsonValue, { steps, value }: Pick<Leaf, "steps" | "value">): boolean {
  const present = valueAt(before, steps);
  return present !== undefined && isSameJson(present, value);
}

/** Returns the labels of the places that a written value comes from. */
function sourceLabels(
  leaf: Leaf,
  from: {
    readonly repaired: RepairedPayload;
    readonly kind: ProvenanceEntry["kind"] | undefined;
    readonly taint: Taint;
    readonly all: readonly string[];
  },
): readonly string[] {
  const { kind, repaired } = from;
  const { before, byModel } = repaired;
  if (byModel) return from.all;
  if (kind === "contract" || kind === "person") return [];
  const own = valueAt(before, leaf.steps);
  if (own !== undefined && isSameText(own, leaf.value)) return [];
  const sources = leavesOf(before).filter(({ value }) => isSameText(value, leaf.value));
  if (sources.length > 0) return sources.flatMap(({ path }) => labelsAt(from.taint, path));
  const isOwnForm = kind === "coerced" && own !== undefined && own !== null && typeof own !== "object";
  return isOwnForm ? [] : from.all;
}

/** Returns true for scalars that are written alike but for case and surrounding space. */
function isSameText(one: JsonValue, other: JsonValue): boolean {
  if (typeof one === "object" || typeof other === "object") return false;
  return scalarText(one).trim().toLowerCase() === scalarText(other).trim().toLowerCase();
}
