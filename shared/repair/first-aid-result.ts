import type { JsonValue } from "#shared/schema";

/** Sentences for the operator, by code. */
export const REASONS = {
  too_large: "The text is too long.",
  too_deep: "The value is nested too deeply.",
  work_limit: "The text takes too much work.",
  no_json: "No value could be read.",
  cut: "The text ends within its value.",
  duplicate_key: "One name has two different values.",
  unsafe_name: "A member has an unsafe name.",
  missing: "A required value is missing.",
  mismatch: "A value cannot be made to fit without guessing.",
  bad_schema: "The schema is malformed.",
  locked: "Only a change to a locked field would make it fit.",
  ambiguous: "Two repairs are about equally plausible.",
  too_costly: "The repair takes too many liberties.",
} as const;

/** Reason for a refusal of first aid: a result, not an error. The next procedure of the ladder takes over. */
export type RefusalCode = keyof typeof REASONS;

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
  /** Work limit in steps of about a character (10-20 ns). Default 10,000,000, and 40 a character for longer texts. */
  readonly workMax?: number;
  /** Truncated text: `refuse` it, or `keep` the complete part. Default: `refuse` with a schema, `keep` without. */
  readonly cut?: "refuse" | "keep";
}
