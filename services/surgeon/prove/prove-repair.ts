import { prove } from "#shared/proof";
import type { Proof } from "#shared/proof";
import type { JsonValue } from "#shared/schema";
import type { Patient } from "../cases/repair-context.ts";
import type { Procedure } from "../propose/procedure.ts";

/** Holds a proposed value against the letter, its contract and its sources. */
export function proveRepair(
  patient: Patient,
  proposed: {
    readonly value: JsonValue;
    readonly provenAs: Procedure["provenAs"];
    /** As `wordsRead` gives them, for a recipe's. */
    readonly words?: ReadonlyMap<string, JsonValue>;
  },
): Proof {
  return prove({
    original: { text: patient.text, value: patient.value },
    repaired: proposed.value,
    schema: patient.schema,
    sources: patient.sources,
    procedure: proposed.provenAs,
    check: patient.check,
    ...(proposed.words === undefined ? {} : { words: proposed.words }),
  });
}
