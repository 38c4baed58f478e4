import { prove } from "#shared/surgery";
import type { JsonValue, Proof } from "#shared/surgery";
import type { Patient } from "./patient.ts";
import type { Procedure } from "./procedures/procedure.ts";

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
