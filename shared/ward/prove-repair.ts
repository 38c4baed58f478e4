import { prove } from "#shared/proof";
import type { Proof, ProofInput } from "#shared/proof";
import { parseTolerant } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import type { Subject } from "./admission/subject.ts";

/** Proves a proposed value for a case's subject against its text, its contract and its sources. */
export function proveRepair(
  { text, value, schema, sources, check }: Subject,
  proposed: {
    readonly value: JsonValue;
    readonly provenAs: ProofInput["procedure"];
    /** Like `Tried.words`, for a recipe's repair. */
    readonly words?: ReadonlyMap<string, JsonValue>;
  },
): Proof {
  return prove({
    original: { text, value },
    repaired: proposed.value,
    schema,
    sources,
    procedure: proposed.provenAs,
    check,
    ...(proposed.words === undefined ? {} : { words: proposed.words }),
  });
}

/** Returns the subject's value, or the cheapest reading of its text: the base of proofs and diffs. */
export function cheapestReading({ value, text }: Pick<Subject, "value" | "text">): JsonValue | undefined {
  return value ?? parseTolerant(text)[0]?.value;
}
