import { timestamp } from "#shared/clock";
import { isApprovalStep } from "#shared/context";
import type { Contract } from "#shared/contract";
import { SURGEON_ID, agentNameOf, branchOf, branchTag } from "#shared/envelope";
import type { KeyEdge } from "#shared/envelope/keys";
import { SutureError } from "#shared/errors";
import type { FailureClass, Issue } from "#shared/errors";
import type { Proof } from "#shared/proof";
import { contractFor } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import type { StoredCase } from "#shared/store/cases";
import type { Admission } from "#shared/store/settlement";
import { CaseRecord, latestAdmission, openAdmission, ownCaseIds, readSubject } from "#shared/ward";
import type { CaseAdmission, OpenedDeadMessage, ReadDeadMessage, Subject } from "#shared/ward";
import type { Attempt, OperationRecord, ProcedureName } from "#shared/ward/moves";
import type { Surgery } from "../surgery.ts";

/**
 * Verifies a case's dead message and returns it, or why it cannot be trusted.
 * @throws {SutureError} of class `unsupported_version`: the message is genuine and needs a newer release.
 */
export function openMessage(
  { keyring, teams }: Pick<Surgery, "keyring" | "teams">,
  stored: StoredCase,
): OpenedDeadMessage | string {
  const admission = latestAdmission(stored);
  if (admission === null) return "Its message is not kept here.";
  const clean = cleanBy(teams);
  try {
    const message = openAdmission({ admission, keyring, clean });
    const misfit = findMisfit(stored, message, admission);
    if (misfit !== null) return `It cannot be believed: its record is not its message's (${misfit}).`;
    if (message.envelope === null) return message;
    const team = teams.find((one) => one.name === message.record.team);
    const doubt = message.doubt ?? findUndeclared(team, message);
    return { ...withDeclaredContract(team, message), doubt };
  } catch (error) {
    if (!(error instanceof SutureError) || error.failureClass === "unsupported_version") throw error;
    return `It cannot be believed (${error.code}).`;
  }
}

/** Returns the fields of an edge's messages that its sender declares as its own words. */
function cleanBy(teams: readonly Team[]): (edge: KeyEdge) => readonly string[] {
  return ({ from, to }) => teams.flatMap(({ agents }) => agents.get(from)?.options.guard?.clean?.[to] ?? []);
}

/** Compares a case's record with its verified message; returns the field that differs, or null. Pure. */
function findMisfit(
  stored: StoredCase,
  { record, envelope }: OpenedDeadMessage,
  admission: Admission,
): string | null {
  const own = [record.case_id, ...ownCaseIds(record.message_id, admission)];
  if (!own.includes(stored.case_id)) return "case_id";
  const branch = envelope === null ? null : branchOf(envelope.meta);
  const expected = {
    message_id: record.message_id,
    run_id: record.run_id,
    agent: record.agent,
    team: record.team,
    ...(envelope === null ? {} : { branch: branch === null ? undefined : branchTag(branch) }),
  };
  const { messageId, runId, agent, team, branchField } = new CaseRecord(stored);
  const kept = new Map(Object.entries({ message_id: messageId, run_id: runId, agent, team, ...branchField }));
  return Object.entries(expected).find(([name, value]) => kept.get(name) !== value)?.[0] ?? null;
}

/**
 * Checks a message against this surgeon's declaration of its team; returns the problem, or null when it is declared
 * or the team is unknown here. An undeclared message waits for a person. Pure.
 */
function findUndeclared(
  team: Team | undefined,
  { record, envelope, origin }: ReadDeadMessage,
): string | null {
  if (team === undefined) return null;
  if (origin === null) return "Nothing shows that an agent or the gateway ever sealed it.";
  const { from, to } = origin.edge;
  if (!team.agents.has(record.agent)) return `Its team (${team.name}) has no agent ${record.agent}.`;
  const types = team.matrix.get(to)?.get(from);
  if (types === undefined) return `Its team (${team.name}) declares no edge from ${from} to ${to}.`;
  const { handoff_type: type } = envelope.meta;
  if (!types.includes(type)) return `Its team declares no ${type} from ${from} to ${to}.`;
  const accepted = acceptedBy(team, { record, envelope });
  const isForeign = accepted !== undefined && agentNameOf(record.contract) !== accepted.name;
  return isForeign &&
    record.contract !== "" &&
    team.contracts.newest(agentNameOf(record.contract)) !== undefined
    ? `${record.agent} does not accept ${record.contract}.`
    : null;
}

/**
 * Returns the message with its receiver's contract, when its admission names none or another one of the team. Pure.
 */
function withDeclaredContract(team: Team | undefined, message: ReadDeadMessage): ReadDeadMessage {
  const accepted = team === undefined ? undefined : acceptedBy(team, message);
  if (team === undefined || accepted === undefined) return message;
  const { record } = message;
  const named = agentNameOf(record.contract);
  const isOfReceiver = named === accepted.name || team.contracts.newest(named) === undefined;
  if (isOfReceiver && record.contract !== "") return message;
  return { ...message, record: { ...record, contract: accepted.id, schema: accepted.jsonSchema } };
}

/** The contract that the receiver accepts. A model's answer has the agent's own contract. */
function acceptedBy(
  team: Team,
  { record, envelope }: Pick<ReadDeadMessage, "record" | "envelope">,
): Contract | undefined {
  const receiver = team.agents.get(record.agent);
  if (receiver === undefined || record.subject.kind === "answer") return undefined;
  return contractFor(receiver, envelope.meta);
}

/**
 * Names what this release lacks to judge a message: its team, or a newer release's contract. The admission brings the
 * contract's JSON Schema, but not its semantic check.
 *
 * @returns null if nothing is missing; else the text shown while the case waits.
 */
export function findUnknown(
  surgery: Pick<Surgery, "teams">,
  record: Pick<CaseAdmission, "team" | "agent" | "contract" | "subject" | "admitted_by">,
): string | null {
  const team = surgery.teams.find((one) => one.name === record.team);
  if (team === undefined) return `This surgeon does not know its team (${record.team.slice(0, 64)}).`;
  if (record.contract === "" || !isOfOtherRelease(team, record)) return null;
  return `This surgeon does not know its contract (${record.contract.slice(0, 128)}).`;
}

/**
 * An older version that was removed is known: its messages are repaired by the schema they bring, and upcast by their
 * receiver.
 */
function isOfOtherRelease(
  team: Team,
  { agent, contract, subject, admitted_by }: Parameters<typeof findUnknown>[1],
): boolean {
  if (team.contracts.find(contract) !== undefined) return false;
  const newest = team.contracts.newest(agentNameOf(contract));
  if (newest !== undefined) return newest.version < versionOf(contract);
  // A model's answer may be asked for under a contract that its agent does not declare.
  const known = team.agents.get(agent);
  const isOwn = known !== undefined && agentNameOf(admitted_by) === agent;
  return !(subject.kind === "answer" && isOwn && known.version >= versionOf(admitted_by));
}

/** 3 of `triage@3`. */
function versionOf(id: string): number {
  return Number(id.slice(id.lastIndexOf("@") + 1));
}

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

/** `operate`: run the ladder; `resend`: send unchanged; `person`: quarantine, with the text for the person. */
type Triage =
  | { readonly kind: "operate" | "resend" }
  | { readonly kind: "person"; readonly diagnosis: string };

/**
 * What follows from a failure class. `repair`: the ladder; `check`: the ladder, if the payload breaks its contract; a
 * diagnosis: quarantine, with this text for the person.
 */
const REMEDIES: Readonly<Record<FailureClass, "repair" | "check" | { readonly diagnosis: string }>> = {
  parse_error: "repair",
  validation_error: "repair",
  content_error: "repair",
  handler_error: "check",
  timeout: "check",
  transient: "check",
  unavailable: "check",
  rate_limited: "check",
  untrusted: { diagnosis: "It is not from who it says it is." },
  unsafe: { diagnosis: "The guard found something in it that must not be acted on." },
  expired: { diagnosis: "Its time was over. A release runs it now, with a fresh life." },
  hop_limit: { diagnosis: "It was handed on too often." },
  loop_detected: { diagnosis: "It came back to an agent that had it before." },
  budget_exceeded: { diagnosis: "Its run has spent its budget." },
  cancelled: { diagnosis: "Its run was cancelled." },
  crash_loop: { diagnosis: "Its worker died again and again." },
  unsupported_version: { diagnosis: "No worker knows its version." },
  rejected: { diagnosis: "No agent takes it." },
};

/** Decides whether a repair of the payload, a resend or a person can help. Pure. */
export function triage(context: RepairContext): Triage {
  const { subject } = context.message.record;
  if (subject.kind === "answer" && isApprovalStep(subject.step))
    return { kind: "person", diagnosis: "Only a person may say whether the call may be made." };
  const failureClass = context.message.record.failures[0]?.failure_class ?? "handler_error";
  const remedy = REMEDIES[failureClass];
  if (typeof remedy === "object") return { kind: "person", ...remedy };
  if (remedy === "repair" || faultsOf(context).length > 0) return { kind: "operate" };
  if (failureClass !== "handler_error") return { kind: "resend" };
  return {
    kind: "person",
    diagnosis:
      "The agent's code failed; the payload keeps its contract, so there is nothing to repair in it.",
  };
}
