import { checkPayload, PayloadContentError, PayloadInvalidError } from "#shared/contract";
import type { Contract, JsonSchema } from "#shared/contract";
import { readEnvelope } from "#shared/envelope";
import type { Envelope } from "#shared/envelope";
import type { Issue } from "#shared/errors";
import type { Team } from "#shared/runtime";
import { parseTolerant, prove } from "#shared/surgery";
import type { JsonValue, Proof } from "#shared/surgery";
import type { CaseAdmission } from "#shared/ward";
import { payloadTextOf } from "./payload-text.ts";

/** What is wrong with a letter, what it should be, and where values may come from: as a person sees it. */
export interface Subject {
  /** As it was written, digits and all. */
  readonly text: string;
  /** Undefined where the text is no JSON. */
  readonly value: JsonValue | undefined;
  readonly contractId: string;
  readonly schema: JsonSchema;
  readonly originalQuery: string;
  readonly history: JsonValue;
  /** What the agent was told, where the subject is its model's answer. */
  readonly input: JsonValue | undefined;
  /** The contract's own check of form and meaning, where the team is known here. */
  readonly check: ((value: JsonValue) => readonly Issue[]) | undefined;
}

/** Null for a letter that never verified, and for one that cannot be read. */
export function subjectOf(record: CaseAdmission, teams: readonly Team[]): Subject | null {
  const envelope = readOrNull(record.bytes);
  if (record.bytes === null || envelope === null) return null;
  const isAnswer = record.subject.kind === "answer";
  const contract = findContract(record, { envelope, teams });
  const { text, value } =
    record.subject.kind === "answer" ? ofText(record.subject.text) : ofPayload(record.bytes);
  return {
    text,
    value,
    contractId: contract?.id ?? record.contract,
    schema: contract?.jsonSchema ?? record.schema,
    originalQuery: envelope.user_context.original_query,
    // The envelope was parsed from JSON text.
    history: envelope.conversation.history as JsonValue,
    // As above.
    input: isAnswer ? (envelope.data_payload as JsonValue) : undefined,
    check: contract === undefined ? undefined : (proposed) => findFaults(contract, proposed),
  };
}

/** What stands against a person's new value for the subject. */
export function proveByPerson(subject: Subject, proposed: JsonValue): Proof {
  return prove({
    original: { text: subject.text, value: subject.value },
    repaired: proposed,
    schema: subject.schema,
    sources: { original_query: subject.originalQuery, history: subject.history, input: subject.input },
    procedure: "person",
    check: subject.check,
  });
}

/** The subject's value, or its cheapest reading: what diffs of repairs begin from. */
export function startingValueOf(subject: Subject): JsonValue {
  return subject.value ?? parseTolerant(subject.text)[0]?.value ?? null;
}

function readOrNull(bytes: string | null): Envelope | null {
  try {
    return bytes === null ? null : readEnvelope(bytes);
  } catch {
    return null;
  }
}

/** A payload that claims an older version is healed to that version; its receiver lifts it. As the surgeon does it. */
function findContract(
  record: CaseAdmission,
  known: { readonly envelope: Envelope; readonly teams: readonly Team[] },
): Contract | undefined {
  const team = known.teams.find((one) => one.name === record.team);
  const wanted = team?.contracts.find(record.contract);
  if (record.subject.kind === "answer") return wanted;
  const claimed = team?.contracts.find(known.envelope.meta.contract);
  const isOlder = claimed !== undefined && claimed.name === wanted?.name && claimed.version < wanted.version;
  return isOlder ? claimed : wanted;
}

/** A payload that is a text may be a broken producer's raw words. */
function ofPayload(bytes: string): Pick<Subject, "text" | "value"> {
  const own = ofText(payloadTextOf(bytes));
  return typeof own.value === "string"
    ? { text: own.value, value: ofText(own.value).value ?? own.value }
    : own;
}

function ofText(text: string): Pick<Subject, "text" | "value"> {
  try {
    // JSON.parse gives nothing but JSON values.
    return { text, value: JSON.parse(text) as JsonValue };
  } catch {
    return { text, value: undefined };
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
