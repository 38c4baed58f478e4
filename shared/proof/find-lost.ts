import { leavesOf, Places } from "#shared/schema";
import type { JsonValue, Leaf } from "#shared/schema";
import { findDropped, findShrunk } from "./find-dropped.ts";
import { findNeedless } from "./find-needless.ts";
import type { Objection, ProofInput } from "./proof.ts";

/** Readings of a damaged text that a repair is held against; what can be read in more ways cannot be proved. */
const READINGS_MAX = 20;

/**
 * What the original holds and the repair lost, shortened or exchanged without need.
 *
 * Who reads meaning might take any part of a damaged text for the answer, an order that somebody wrote into it as
 * well: so a model's or a recipe's repair is held against all that the text may say, and where two readings
 * contradict each other it loses one. First aid chooses among readings by laws of its own, and a person may:
 * theirs is held against the cheapest.
 *
 * @param readings - The original's value, or all readings of its text, the cheapest first.
 */
export function findLost(
  { repaired, schema, check, procedure }: ProofInput,
  readings: readonly JsonValue[],
  leaves: readonly Leaf[],
): Objection[] {
  const isByPerson = procedure === "person";
  const mayChoose = isByPerson || procedure === "first_aid";
  const held = readings.slice(0, mayChoose ? 1 : READINGS_MAX);
  const isClear = readings.length === 1 || !mayChoose;
  const lost = held.flatMap((original) => [
    ...findDropped({ original, originals: leavesOf(original), repaired, leaves, schema, byName: !mayChoose }),
    ...findShrunk(original, repaired),
    ...(isByPerson || !isClear
      ? []
      : findNeedless({ original, repaired, schema, check, places: new Places(original, schema), leaves })),
  ]);
  if (mayChoose || readings.length <= READINGS_MAX) return lost;
  return [{ path: "", code: "limit", message: "the text can be read in too many ways" }, ...lost];
}
