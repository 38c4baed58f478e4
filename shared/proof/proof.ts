import type { Operation } from "rfc6902";
import type { JsonSchema } from "#shared/json";
import type { Issue } from "#shared/errors";
import type { Evidence, Note } from "#shared/repair";
import type { JsonValue } from "#shared/schema";
import type { ModelReading, Quote } from "./second-reading.ts";

export type ObjectionCode =
  | "contract"
  | "content"
  | "invented"
  | "locked"
  | "second_person"
  | "dropped"
  /** The original says something that is in no value of the repair. */
  | "unaccounted"
  /** Only the sense of a text gives the value, and no second reading of the text agrees. */
  | "unread"
  /** The original ends inside a list, object or sentence. */
  | "cut"
  | "shrunk"
  | "needless"
  | "prototype"
  | "exposed"
  | "limit";

/** A reason against a repair. */
export interface Objection {
  /** JSON pointer into the repair, or into the original for a dropped value. */
  readonly path: string;
  readonly code: ObjectionCode;
  readonly value?: JsonValue;
  readonly message: string;
}

/** Provenance of one value. */
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
  /** True without objections. */
  readonly passes: boolean;
  readonly objections: readonly Objection[];
  /** One entry for each leaf of the repair. */
  readonly provenance: readonly ProvenanceEntry[];
  /** RFC 6902 operations from the original to the repair. */
  readonly diff: readonly Operation[];
  /** Places of the values of first aid's repair in the text, and the text that is in none. Absent for others. */
  readonly evidence?: Evidence;
}

export interface ProofInput {
  /** The dead message: its exact text, and its value where it parses. */
  readonly original: { readonly text: string; readonly value?: JsonValue | undefined };
  readonly repaired: JsonValue;
  readonly schema: JsonSchema;
  /** Further sources of values. */
  readonly sources: {
    readonly original_query?: string | undefined;
    readonly history?: JsonValue | undefined;
    readonly input?: JsonValue | undefined;
  };
  /** The proposer. Only `person` may write locked fields. */
  readonly procedure: "recipe" | "first_aid" | "model" | "person";
  /** A model's quotations, and a reading of the text by a reader who did not see the first. Default: neither. */
  readonly quotes?: readonly Quote[] | undefined;
  readonly second?: ModelReading | undefined;
  /** End of the original, where it is known: `whole`, or `cut` at its producer's limit of tokens. */
  readonly ending?: "whole" | "cut" | undefined;
  /** First aid's steps, which its evidence names. Default: none. */
  readonly steps?: readonly Note[];
  /** Words of the original that a recipe maps to enum members, by the member's pointer. Default: none. */
  readonly words?: ReadonlyMap<string, JsonValue>;
  /** The contract's semantic check. Default: none. A check that throws is an objection. */
  readonly check?: ((value: JsonValue) => readonly Issue[]) | undefined;
}
