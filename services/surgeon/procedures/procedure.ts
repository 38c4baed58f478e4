import type { JsonValue, ProofInput } from "#shared/surgery";
import type { ProcedureName } from "#shared/ward";
import type { Patient } from "../patient.ts";
import type { Surgery } from "../surgery.ts";

/** What an attempt cost: nothing, but for a model's. USD. */
export interface Bill {
  readonly model: string | null;
  readonly tokens: number;
  readonly cost: number;
}

export const FREE: Bill = { model: null, tokens: 0, cost: 0 };

/** What a procedure says. A repair still has to be proved; a refusal is an answer; waiting is nobody's fault. */
export type Proposal =
  | {
      readonly kind: "repair";
      readonly value: JsonValue;
      readonly reason: string;
      readonly bill: Bill;
      /** The recipe that made it. */
      readonly recipeId?: string;
      /** The words that this recipe read as members of the contract, as `wordsRead` gives them. */
      readonly words?: ReadonlyMap<string, JsonValue>;
      /** What its proposer says would repair every such letter. Of any form. */
      readonly recipe?: unknown;
    }
  | { readonly kind: "refusal"; readonly reason: string; readonly bill: Bill }
  | { readonly kind: "wait"; readonly delayMs: number; readonly reason: string };

/** One way to repair. It proposes and touches nothing: no queue, no case, no other letter. */
export interface Procedure {
  readonly name: ProcedureName;
  /** How the proof knows it. */
  readonly provenAs: ProofInput["procedure"];
  propose(surgery: Surgery, patient: Patient, signal: AbortSignal): Promise<Proposal>;
}

export function refuse(reason: string, bill: Bill = FREE): Proposal {
  return { kind: "refusal", reason, bill };
}
