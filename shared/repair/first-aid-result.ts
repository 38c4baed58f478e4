import type { JsonValue } from "#shared/schema";

/**
 * Why first aid gives no answer. A refusal is a result, not an error: the next procedure of the ladder takes
 * over.
 *
 * - `too_large`, `too_deep`, `work_limit`: a bound was reached;
 * - `no_json`: nothing in the text could be read as a value;
 * - `cut`: the text ends inside a string or number, or after a comma or colon;
 * - `duplicate_key`: one name twice with different values; `unsafe_name`: `__proto__` where it may not be
 *   dropped;
 * - `missing`: a required value is not there; `mismatch`: a value cannot be made to fit;
 * - `locked`: only a change to a locked field would make the payload fit;
 * - `bad_schema`: the schema itself is malformed, whatever the text;
 * - `ambiguous`: two readings are about equally good; `too_costly`: too many liberties would be needed.
 */
export type RefusalCode =
  | "too_large"
  | "too_deep"
  | "work_limit"
  | "no_json"
  | "cut"
  | "duplicate_key"
  | "unsafe_name"
  | "missing"
  | "mismatch"
  | "locked"
  | "bad_schema"
  | "ambiguous"
  | "too_costly";

/** One repair step. `path` is a JSON pointer into the repaired value; "" for the whole text. */
export interface Note {
  readonly path: string;
  /** Stable name of the step's kind, e.g. `trailing_comma`, `text_to_number`. */
  readonly step: string;
  /** Riskiness of the step: 0 harmless, 1-3 usual, 10 and more hardly ever right. */
  readonly cost: number;
}

export interface Repaired {
  readonly ok: true;
  readonly value: JsonValue;
  /** Sum of the notes' costs. A step repeated over the items of one list counts once. */
  readonly cost: number;
  readonly notes: readonly Note[];
  /** JSON pointers (into the text's value) of dropped members that the contract does not know. */
  readonly unused: readonly string[];
}

export interface Refused {
  readonly ok: false;
  readonly code: RefusalCode;
  /** One sentence for the operator. Contains no payload. */
  readonly reason: string;
  /** JSON pointer of the value that is the reason, or of the keyword in a `bad_schema`; "" for the whole. */
  readonly path: string;
  readonly notes: readonly Note[];
  /** The competing readings of an `ambiguous` refusal, cheapest first. */
  readonly candidates?: readonly JsonValue[];
}

export type FirstAidResult = Repaired | Refused;

export interface FirstAidOptions {
  /** Maximum input length in UTF-16 units. Default 4,194,304. */
  readonly charsMax?: number;
  /**
   * Work limit in steps. One step is about one character (10-20 ns); reading or fitting a value takes tens. Default
   * 10,000,000, and 40 a character for longer texts: about 0.7 s for a megabyte of rows that all need repair.
   */
  readonly workMax?: number;
  /**
   * Handling of truncated text (ends inside a string or number, after a comma, or contains `...`): `refuse` it, or
   * `keep` the complete part. Default: `refuse` with a schema, `keep` without.
   */
  readonly cut?: "refuse" | "keep";
}
