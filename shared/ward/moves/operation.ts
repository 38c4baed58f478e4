import type { Objection, Proof, ProvenanceEntry } from "#shared/proof";

/** Procedures that propose repairs, cheapest first. */
export type ProcedureName = "triage" | "recipe" | "first_aid" | "strong_model" | "person";

/** One procedure's attempt at a repair, and its result. */
export interface Attempt {
  readonly procedure: ProcedureName;
  /** `healed`: the message was redriven; `refused`: no proposal; `objected`: the proof rejected the proposal. */
  readonly outcome: "healed" | "refused" | "objected";
  /** Our own text, or a person's: fit for an audit. */
  readonly reason: string;
  /** A model's own explanation, for the case's readers; may quote the message. Absent: none. */
  readonly said?: string;
  /** RFC 6902 patch from the dead message's value to the proposal. */
  readonly diff: Proof["diff"];
  readonly provenance: readonly ProvenanceEntry[];
  readonly objections: readonly Objection[];
  /** Places of first aid's changed values in the text, and the data of the text that is in none. Absent for others. */
  readonly evidence?: NonNullable<Proof["evidence"]>;
  readonly model: string | null;
  readonly tokens: number;
  /** USD. */
  readonly cost: number;
  readonly duration_ms: number;
  /** The recipe applied. Absent: none. */
  readonly recipe_id?: string;
  /** True if that recipe was on trial. Absent: it was trusted, or there was none. */
  readonly on_trial?: boolean;
}

/** All attempts of one operation. */
export interface OperationRecord {
  /** 1 for the case's first. */
  readonly number: number;
  readonly message_id: string;
  readonly attempts: readonly Attempt[];
  /** `name@version` of the surgeon, or a person's name. */
  readonly by: string;
  readonly at: string;
  /** True if diffs and provenance were left out because of their size. */
  readonly trimmed: boolean;
}

/** Maximum length of one operation's record as JSON text, in characters. */
const OPERATION_CHARS_MAX = 262_144;

/** Returns the record as JSON text within its limit: drops diffs and provenance first, and keeps the verdicts. */
export function writeOperation(record: OperationRecord): string {
  const text = JSON.stringify(record);
  if (text.length <= OPERATION_CHARS_MAX) return text;
  const attempts = record.attempts.map((attempt) => ({
    ...attempt,
    diff: [],
    provenance: [],
    objections: attempt.objections.slice(0, 50).map(({ path, code, message }) => ({ path, code, message })),
  }));
  return JSON.stringify({ ...record, attempts, trimmed: true });
}

/** Returns the recipe that healed the message in this operation; null if another procedure did, or none. */
export function healingRecipe(record: OperationRecord | null): string | null {
  return record?.attempts.find(({ outcome }) => outcome === "healed")?.recipe_id ?? null;
}

/** Returns the total cost of the attempts. */
export function spentOn(attempts: readonly Attempt[]): { readonly cost: number; readonly tokens: number } {
  return {
    cost: attempts.reduce((sum, attempt) => sum + attempt.cost, 0),
    tokens: attempts.reduce((sum, attempt) => sum + attempt.tokens, 0),
  };
}
