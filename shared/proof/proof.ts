import type { Operation } from "rfc6902";
import type { JsonSchema } from "#shared/contract";
import type { Issue } from "#shared/errors";
import type { JsonValue } from "#shared/schema";

export type ObjectionCode =
  | "contract"
  | "content"
  | "invented"
  | "locked"
  | "second_person"
  | "dropped"
  | "shrunk"
  | "needless"
  | "prototype"
  | "limit";

/** Why a repair may not leave the ward as it is. */
export interface Objection {
  /** JSON pointer into the repair, or into the original where something was dropped. */
  readonly path: string;
  readonly code: ObjectionCode;
  readonly value?: JsonValue;
  readonly message: string;
}

/** Where a value of the repair comes from. */
export interface ProvenanceEntry {
  readonly path: string;
  readonly kind:
    | "unchanged"
    | "original"
    | "original_query"
    | "history"
    | "input"
    | "coerced"
    | "contract"
    | "surgeon_text"
    | "person"
    | "invented";
  readonly detail: string;
}

export interface Proof {
  /** True where there is no objection. */
  readonly passes: boolean;
  readonly objections: readonly Objection[];
  /** One entry for each leaf of the repair. */
  readonly provenance: readonly ProvenanceEntry[];
  /** RFC 6902, from the original value to the repair. */
  readonly diff: readonly Operation[];
}

export interface ProofInput {
  /** The dead message: its exact text, and its value where it could be parsed. */
  readonly original: { readonly text: string; readonly value?: JsonValue | undefined };
  readonly repaired: JsonValue;
  readonly schema: JsonSchema;
  /** What else a value may come from. */
  readonly sources: {
    readonly original_query?: string | undefined;
    readonly history?: JsonValue | undefined;
    readonly input?: JsonValue | undefined;
  };
  /** Who proposes. Only `person` writes locked fields. */
  readonly procedure: "recipe" | "first_aid" | "model" | "person";
  /**
   * For a recipe: words of the original that it reads as members of the contract, by the pointer of the member.
   * Default: none.
   */
  readonly words?: ReadonlyMap<string, JsonValue>;
  /** The contract's semantic check. Default: nothing to check. A check that throws is an objection. */
  readonly check?: ((value: JsonValue) => readonly Issue[]) | undefined;
}
