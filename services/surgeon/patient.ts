import { checkPayload, PayloadContentError, PayloadInvalidError } from "#shared/contract";
import type { Contract, JsonSchema } from "#shared/contract";
import type { Envelope } from "#shared/envelope";
import type { Issue } from "#shared/errors";
import type { JsonValue } from "#shared/surgery";
import type { StoredCase } from "#shared/store";
import type { CaseAdmission } from "#shared/ward";
import type { Surgery } from "./surgery.ts";
import { payloadTextOf } from "./payload-text.ts";

/** One case on the table: what is wrong, what it should satisfy, and where values may come from. */
export interface Patient {
  readonly stored: StoredCase;
  readonly letter: { readonly record: CaseAdmission; readonly envelope: Envelope };
  /** The subject as it was written, digits and all. */
  readonly text: string;
  /** The subject's value; undefined where the text is no JSON. */
  readonly value: JsonValue | undefined;
  readonly contractId: string;
  readonly schema: JsonSchema;
  /** The contract's own check of form and meaning, where the team is known here. */
  readonly check: ((value: JsonValue) => readonly Issue[]) | undefined;
  readonly sources: {
    readonly original_query: string;
    readonly history: JsonValue;
    /** What the agent was told, where the subject is its model's answer. */
    readonly input: JsonValue | undefined;
  };
  /** Number of this stay in surgery, from 1. */
  readonly operation: number;
}

export function examine(surgery: Surgery, stored: StoredCase, letter: Patient["letter"]): Patient {
  const { record, envelope } = letter;
  const contract = findContract(surgery, record, envelope);
  const { text, value } = subjectOf(record);
  return {
    stored,
    letter,
    text,
    value,
    contractId: contract?.id ?? record.contract,
    schema: contract?.jsonSchema ?? record.schema,
    check: contract === undefined ? undefined : (proposed) => findFaults(contract, proposed),
    sources: {
      original_query: envelope.user_context.original_query,
      // The envelope was parsed from JSON text.
      history: envelope.conversation.history as JsonValue,
      input: record.subject.kind === "answer" ? (envelope.data_payload as JsonValue) : undefined,
    },
    operation: Number(stored.fields["operations"] ?? 0) + 1,
  };
}

/** Whether the subject already is what its contract asks for. */
export function faultsOf(patient: Patient): readonly Issue[] {
  if (patient.value === undefined) return [{ path: "", code: "not_json", message: "this is not JSON" }];
  return patient.check?.(patient.value) ?? [];
}

/**
 * A payload that claims an older version than its receiver's is healed to the version it claims: the receiver lifts it.
 * Otherwise the newest word on a contract is the loaded team's; without the team, the schema in the admission counts.
 */
function findContract(surgery: Surgery, record: CaseAdmission, envelope: Envelope): Contract | undefined {
  const team = surgery.teams.find((one) => one.name === record.team);
  const wanted = team?.contracts.find(record.contract);
  if (record.subject.kind === "answer") return wanted;
  const claimed = team?.contracts.find(envelope.meta.contract);
  const isOlder = claimed !== undefined && claimed.name === wanted?.name && claimed.version < wanted.version;
  return isOlder ? claimed : wanted;
}

/** A payload that is a text may be a broken producer's raw words; else its JSON text is what first aid reads. */
function subjectOf(record: CaseAdmission): { text: string; value: JsonValue | undefined } {
  if (record.subject.kind === "answer")
    return { text: record.subject.text, value: parse(record.subject.text) };
  const text = payloadTextOf(record.bytes ?? "");
  const value = parse(text);
  return typeof value === "string" ? { text: value, value: parse(value) ?? value } : { text, value };
}

function parse(text: string): JsonValue | undefined {
  try {
    // JSON.parse gives nothing but JSON values.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

function findFaults(contract: Contract, value: JsonValue): readonly Issue[] {
  try {
    checkPayload(contract, value);
    return [];
  } catch (error) {
    if (error instanceof PayloadInvalidError || error instanceof PayloadContentError) return error.issues;
    return [{ path: "", code: "check_threw", message: "the contract's own check could not read this value" }];
  }
}
