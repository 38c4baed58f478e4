import type { Objection, Proof, ProofInput } from "#shared/proof";
import type { JsonValue } from "#shared/schema";
import type { ProcedureName } from "#shared/ward";
import type { RepairContext } from "../cases/repair-context.ts";
import type { Surgery } from "../surgery.ts";

/** What an attempt cost: nothing, but for a model's. USD. */
export interface Bill {
  readonly model: string | null;
  readonly tokens: number;
  readonly cost: number;
}

export const FREE: Bill = { model: null, tokens: 0, cost: 0 };

/** What a model said, and was shown. */
interface Told {
  /** Its own words, which may quote the letter. Absent: it said none. */
  readonly said?: string;
  /** Cases whose healing it was shown. Absent: none. */
  readonly examples?: readonly string[];
}

type Refusal = Told & { readonly kind: "refusal"; readonly reason: string; readonly bill: Bill };

/** What a procedure says. A repair still has to be proved; a refusal is an answer; waiting is nobody's fault. */
export type Proposal =
  | (Told & {
      readonly kind: "repair";
      readonly value: JsonValue;
      readonly reason: string;
      readonly bill: Bill;
      /** The recipe that made it. */
      readonly recipeId?: string;
      /** That recipe still has to show what it is worth: what becomes of this letter speaks for it. */
      readonly isOnTrial?: boolean;
      /** What `proveRepair` said of it, where its proposer asked already. Default: it is asked now. */
      readonly proof?: Proof;
      /** What its proposer says would repair every such letter. Of any form. */
      readonly recipe?: unknown;
    })
  | Refusal
  | { readonly kind: "wait"; readonly delayMs: number; readonly reason: string };

/** A repair that was not proved, and what the proof found against it. */
export interface Objected {
  readonly by: ProcedureName;
  readonly value: JsonValue;
  readonly objections: readonly Objection[];
}

/** One way to repair. It proposes and touches nothing: no queue, no case, no other letter. */
export interface Procedure {
  readonly name: ProcedureName;
  /** How the proof knows it. */
  readonly provenAs: ProofInput["procedure"];
  /**
   * @param on.objected - What the rung before came to, if the proof objected to it; else null.
   * @returns null when it is not called for: then nothing was tried.
   */
  propose(
    surgery: Surgery,
    context: RepairContext,
    on: { readonly signal: AbortSignal; readonly objected: Objected | null },
  ): Promise<Proposal | null>;
}

export function refuse(reason: string, bill: Bill = FREE): Refusal {
  return { kind: "refusal", reason, bill };
}
