import { prove } from "#shared/proof";
import type { Proof } from "#shared/proof";
import type { JsonValue } from "#shared/schema";
import type { RepairContext } from "../cases/repair-context.ts";
import type { Procedure } from "../propose/procedure.ts";

/** Proves a proposed value against the letter, its contract and its sources. */
export function proveRepair(
  context: RepairContext,
  proposed: {
    readonly value: JsonValue;
    readonly provenAs: Procedure["provenAs"];
    /** As `wordsRead` gives them, for a recipe's. */
    readonly words?: ReadonlyMap<string, JsonValue>;
  },
): Proof {
  return prove({
    original: { text: context.text, value: context.value },
    repaired: proposed.value,
    schema: context.schema,
    sources: context.sources,
    procedure: proposed.provenAs,
    check: context.check,
    ...(proposed.words === undefined ? {} : { words: proposed.words }),
  });
}
