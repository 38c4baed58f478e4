import type { Objection, Proof, ProvenanceEntry } from "#shared/proof";

/** Who may propose a repair, cheapest first. */
export type ProcedureName = "triage" | "recipe" | "first_aid" | "strong_model" | "person";

/** One procedure's try at one message, and what became of it. */
export interface Attempt {
  readonly procedure: ProcedureName;
  /** `healed`: it left the ward; `refused`: no answer; `objected`: the proof said no to its answer. */
  readonly outcome: "healed" | "refused" | "objected";
  /** In this repository's words, or a person's: fit for an audit. */
  readonly reason: string;
  /** A model's own words, for who looks at the case; they may quote the message. Absent: it said none. */
  readonly said?: string;
  /** RFC 6902, from the dead message's value to the proposal. */
  readonly diff: Proof["diff"];
  readonly provenance: readonly ProvenanceEntry[];
  readonly objections: readonly Objection[];
  readonly model: string | null;
  readonly tokens: number;
  /** USD. */
  readonly cost: number;
  readonly duration_ms: number;
  /** The recipe that was applied. Absent: none was. */
  readonly recipe_id?: string;
  /** Cases whose healing was shown to the model as an example. Absent: none was. */
  readonly examples?: readonly string[];
  /** True where that recipe was on trial. Absent: it was trusted, or there was none. */
  readonly on_trial?: boolean;
}

/** Everything that was tried in one stay in surgery. */
export interface OperationRecord {
  /** 1 for the case's first. */
  readonly number: number;
  readonly message_id: string;
  readonly attempts: readonly Attempt[];
  /** `name@version` of the surgeon, or a person's name. */
  readonly by: string;
  readonly at: string;
  /** True when diffs and provenance were left out because they were too large to keep. */
  readonly trimmed: boolean;
}

/** JSON text of one operation's record at most, in characters. */
const OPERATION_CHARS_MAX = 262_144;

/** The record as JSON text within its bound: diffs and provenance go first, the verdicts stay. */
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

/** The recipe that healed the message of this operation; null where another procedure did, or none. */
export function healingRecipe(record: OperationRecord | null): string | null {
  return record?.attempts.find(({ outcome }) => outcome === "healed")?.recipe_id ?? null;
}

/** What the attempts cost together. */
export function spentOn(attempts: readonly Attempt[]): { readonly cost: number; readonly tokens: number } {
  return {
    cost: attempts.reduce((sum, attempt) => sum + attempt.cost, 0),
    tokens: attempts.reduce((sum, attempt) => sum + attempt.tokens, 0),
  };
}
