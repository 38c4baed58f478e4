import { leavesOf, Places } from "#shared/schema";
import type { JsonValue, Leaf } from "#shared/schema";
import type { Account, Clause } from "./account.ts";
import { findDropped, findShrunk } from "./find-dropped.ts";
import { findNeedless } from "./find-needless.ts";
import type { Objection, ProofInput } from "./proof.ts";

/** Maximum readings of a damaged text; a more ambiguous text cannot be proved. */
const READINGS_MAX = 20;

/**
 * Finds values that the repair dropped, shortened or replaced without need. A model's or recipe's repair is compared
 * with every reading of a damaged text, because it could take injected text for the answer; contradicting readings
 * then fail. First aid's and a person's repair is compared with the cheapest reading.
 * @param readings - The original's value, or all readings of its text, cheapest first.
 */
export function findLost(
  { repaired, schema, check, procedure }: ProofInput,
  readings: readonly JsonValue[],
  {
    leaves,
    ...by
  }: {
    readonly leaves: readonly Leaf[];
    readonly account: Account;
    readonly isQuoted: (clause: Clause) => boolean;
  },
): Objection[] {
  const isByPerson = procedure === "person";
  const mayChoose = isByPerson || procedure === "first_aid";
  const held = readings.slice(0, mayChoose ? 1 : READINGS_MAX);
  const isClear = readings.length === 1 || !mayChoose;
  const lost = held.flatMap((original) => [
    ...findDropped({
      original,
      originals: leavesOf(original),
      repaired,
      leaves,
      schema,
      byName: !mayChoose,
      ...by,
    }),
    ...findShrunk(original, repaired),
    ...(isByPerson || !isClear
      ? []
      : findNeedless({ original, repaired, schema, check, places: new Places(original, schema), leaves })),
  ]);
  // A person may leave out what a value says in words.
  if (isByPerson) return lost.filter(({ code }) => code !== "unaccounted");
  if (mayChoose || readings.length <= READINGS_MAX) return lost;
  return [{ path: "", code: "limit", message: "the text can be read in too many ways" }, ...lost];
}
