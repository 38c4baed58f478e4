import { timestamp } from "#shared/clock";
import { SURGEON_ID } from "#shared/envelope";
import type { Issue } from "#shared/errors";
import type { Proof } from "#shared/proof";
import type { StoredCase } from "#shared/store/cases";
import { readSubject } from "#shared/ward";
import type { Attempt, OperationRecord, ProcedureName } from "#shared/ward/moves";
import type { ReadDeadMessage, Subject } from "#shared/ward";
import type { Surgery } from "../surgery.ts";

/** What a repair works on: the faulty value, the contract it should satisfy, and the sources of values. */
export interface RepairContext extends Subject {
  readonly stored: StoredCase;
  readonly message: ReadDeadMessage;
  /** Number of this stay in surgery, from 1. */
  readonly operation: number;
}

export function repairContextOf(
  surgery: Surgery,
  stored: StoredCase,
  message: ReadDeadMessage,
): RepairContext {
  const team = surgery.teams.find((one) => one.name === message.record.team);
  return {
    ...readSubject({ ...message, contracts: team?.contracts }),
    stored,
    message,
    operation: Number(stored.fields["operations"] ?? 0) + 1,
  };
}

/** Returns the faults of the subject's value; one issue if it is not JSON. */
export function faultsOf(context: RepairContext): readonly Issue[] {
  if (context.value === undefined)
    return [{ path: "", code: "not_json", message: "this is no JSON, or contradicts itself" }];
  return context.check?.(context.value) ?? [];
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
