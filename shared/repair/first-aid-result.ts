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
  | "ambiguous"
  | "too_costly";

/**
 * One liberty that was taken. `path` is a JSON pointer into the repaired value ("" where the text as a whole
 * is meant).
 */
export interface Note {
  readonly path: string;
  /** Stable word for the kind of step, e.g. `trailing_comma`, `text_to_number`. */
  readonly step: string;
  /** How daring the step is; 0 is harmless, 1-3 usual, 10 and more hardly ever right. */
  readonly cost: number;
  readonly detail: string;
}

export interface Repaired {
  readonly ok: true;
  readonly value: JsonValue;
  /** Sum of the notes' costs; a step repeated over the items of one list counts once. */
  readonly cost: number;
  readonly notes: readonly Note[];
  /** Pointers (into the text's value) of what the contract has no place for and which was left out. */
  readonly unused: readonly string[];
}

export interface Refused {
  readonly ok: false;
  readonly code: RefusalCode;
  /** One sentence for the operator; holds no payload text. */
  readonly reason: string;
  readonly notes: readonly Note[];
  /** The readings that compete, cheapest first, where the code is `ambiguous`. */
  readonly candidates?: readonly JsonValue[];
}

export type FirstAidResult = Repaired | Refused;

export interface FirstAidOptions {
  /** Longest input in UTF-16 units. Default 4,194,304. */
  readonly charsMax?: number;
  /** Deepest nesting that is read. Default 128. */
  readonly depthMax?: number;
  /**
   * Steps before first aid gives up. One is about a character looked at, some ten or twenty nanoseconds; a value read
   * or fitted takes tens. Default 8,000,000: enough for an honest megabyte, and about a fifth of a second.
   */
  readonly workMax?: number;
  /** Dearest repair that is still given. Default 60. */
  readonly costMax?: number;
  /** By how much another reading must be dearer. Default 3. */
  readonly marginMin?: number;
  /**
   * Languages other than JSON that are read. Default: what the schema's `x-accepts` lists, `["xml"]` for one;
   * else none.
   */
  readonly accepts?: readonly "xml"[];
  /**
   * What to do with a text that ends inside a string or number, after a comma, or that says `...` for left-
   * out parts: `refuse`, or `keep` what is there. Default: `refuse` with a schema, `keep` without (nobody
   * acts on it unseen).
   */
  readonly cut?: "refuse" | "keep";
  /** Is told the steps that were taken, whatever the result. Default: nobody is. */
  readonly onWork?: (steps: number) => void;
}
