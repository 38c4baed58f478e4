import { timestamp } from "#shared/clock";
import { SURGEON_ID } from "#shared/envelope";
import type { Objection, Proof, Quote } from "#shared/proof";
import type { JsonValue } from "#shared/schema";
import type { Attempt, OperationRecord, ProcedureName } from "#shared/ward/moves";
import type { RepairContext } from "../cases/case.ts";
import type { Surgery } from "../surgery.ts";

/** The price of an attempt, in USD. Only model calls cost anything. */
export interface Bill {
  readonly model: string | null;
  readonly tokens: number;
  readonly cost: number;
}

export const FREE: Bill = { model: null, tokens: 0, cost: 0 };

interface ModelWords {
  /** A model's own explanation, which may quote the message. Absent: none. */
  readonly said?: string;
}

type Refusal = ModelWords & { readonly kind: "refusal"; readonly reason: string; readonly bill: Bill };

/** A repair that still has to be proved. */
export interface Repair extends ModelWords {
  readonly kind: "repair";
  readonly value: JsonValue;
  readonly reason: string;
  readonly bill: Bill;
  /** Id of the recipe that made it. */
  readonly recipeId?: string;
  /** True if that recipe is on trial: the result counts for or against it. */
  readonly isOnTrial?: boolean;
  /** Quotations that a model gives for its values. */
  readonly quotes?: readonly Quote[];
  /** A recipe that the procedure proposes for all such messages, unchecked. */
  readonly recipe?: unknown;
}

/** A refusal, or a wait (endpoint down, hour's money spent). */
export type NoRepair = Refusal | { readonly kind: "wait"; readonly delayMs: number; readonly reason: string };

/** A procedure's result: a repair with its proof, which may have failed, or none. */
export type Proposal = (Repair & { readonly proof: Proof }) | NoRepair;

/** A repair that the proof rejected, with its objections. */
export interface Objected {
  readonly by: ProcedureName;
  readonly value: JsonValue;
  readonly objections: readonly Objection[];
}

/** One way to repair. Only proposes: writes to no queue, case or other message. */
export interface Procedure {
  readonly name: ProcedureName;
  /** @param on.objected - The previous repair, if refused by the proof; else null. @returns null: does not apply. */
  propose(
    surgery: Surgery,
    context: RepairContext,
    on: { readonly signal: AbortSignal; readonly objected: Objected | null },
  ): Promise<Proposal | null>;
}

export function refuse(reason: string, bill: Bill = FREE): Refusal {
  return { kind: "refusal", reason, bill };
}

/** Returns the record of this stay in surgery. */
export function operationOf(
  { operation, message }: RepairContext,
  attempts: readonly Attempt[],
  by = SURGEON_ID,
): OperationRecord {
  const { message_id } = message.record;
  return { number: operation, message_id, attempts, by, at: timestamp(), trimmed: false };
}

/** A successful attempt without a model. */
export function freeAttempt(procedure: ProcedureName, reason: string, proof?: Proof): Attempt {
  return {
    procedure,
    outcome: "healed",
    reason,
    diff: proof?.diff ?? [],
    provenance: proof?.provenance ?? [],
    objections: proof?.objections ?? [],
    model: null,
    tokens: 0,
    cost: 0,
    duration_ms: 0,
  };
}
