import type { Contract } from "#shared/contract";
import { SURGEON_ID, agentNameOf, branchOf, branchTag } from "#shared/envelope";
import type { KeyEdge } from "#shared/envelope/keys";
import { SutureError } from "#shared/errors";
import type { Issue } from "#shared/errors";
import { contractFor } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import type { Store } from "#shared/store";
import type { CaseFence, StoredCase } from "#shared/store/cases";
import type { Admission } from "#shared/store/settlement";
import { recordOf, latestAdmission, openAdmission, ownCaseIds, readSubject } from "#shared/ward";
import type { CaseAdmission, OpenedDeadMessage, ReadDeadMessage, Subject } from "#shared/ward";
import type { Proposal } from "#shared/ward/decisions";
import { discardCase, dischargeCase, postponeCase, quarantineCase } from "#shared/ward/moves";
import type { OperationRecord } from "#shared/ward/moves";
import type { Surgery } from "../surgery.ts";
import type { CaseReport } from "./case-report.ts";

/** Verifies a case's dead message; or tells why not. @throws {SutureError} `unsupported_version`: genuine and newer. */
export function openMessage(
  { keyring, teams }: Pick<Surgery, "keyring" | "teams">,
  stored: StoredCase,
): OpenedDeadMessage | string {
  const admission = latestAdmission(stored);
  if (admission === null) return "Its message is not kept here.";
  // Places that an edge's sender declares as its own words.
  const clean = ({ from, to }: KeyEdge): readonly string[] =>
    teams.flatMap(({ agents }) => agents.get(from)?.options.guard?.clean?.[to] ?? []);
  try {
    const message = openAdmission({ admission, keyring, clean });
    const misfit = findMisfit(stored, message, admission);
    if (misfit !== null) return `It cannot be believed: its record is not its message's (${misfit}).`;
    if (message.envelope === null) return message;
    const team = teams.find((one) => one.name === message.record.team);
    return team === undefined ? message : asDeclared(team, message);
  } catch (error) {
    if (!(error instanceof SutureError) || error.failureClass === "unsupported_version") throw error;
    return `It cannot be believed (${error.code}).`;
  }
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
  const { messageId, runId, agent, team, branchField } = recordOf(stored);
  const kept = new Map(Object.entries({ message_id: messageId, run_id: runId, agent, team, ...branchField }));
  return Object.entries(expected).find(([name, value]) => kept.get(name) !== value)?.[0] ?? null;
}

/**
 * Holds a message against this surgeon's declaration of its team. An undeclared one waits for a person. Where its
 * admission names no contract, or another one of the team, it gets the one that its receiver accepts. Pure.
 */
function asDeclared(team: Team, message: ReadDeadMessage): ReadDeadMessage {
  const { record, doubt } = message;
  const accepted = acceptedBy(team, message);
  const named = agentNameOf(record.contract);
  const isForeign =
    accepted !== undefined && named !== accepted.name && team.contracts.newest(named) !== undefined;
  const foreign =
    isForeign && record.contract !== "" ? `${record.agent} does not accept ${record.contract}.` : null;
  const found = doubt ?? findUndeclared(team, message) ?? foreign;
  if (accepted === undefined || (!isForeign && record.contract !== "")) return { ...message, doubt: found };
  return {
    ...message,
    doubt: found,
    record: { ...record, contract: accepted.id, schema: accepted.jsonSchema },
  };
}

/** Returns why a team does not declare a message, or null. Pure. */
function findUndeclared(team: Team, { record, envelope, origin }: ReadDeadMessage): string | null {
  const { from, to } = origin.edge;
  if (!team.agents.has(record.agent)) return `Its team (${team.name}) has no agent ${record.agent}.`;
  const types = team.matrix.get(to)?.get(from);
  if (types === undefined) return `Its team (${team.name}) declares no edge from ${from} to ${to}.`;
  const { handoff_type: type } = envelope.meta;
  return types.includes(type) ? null : `Its team declares no ${type} from ${from} to ${to}.`;
}

/** The contract that the receiver accepts. A model's answer has the agent's own contract. */
function acceptedBy(team: Team, { record, envelope }: ReadDeadMessage): Contract | undefined {
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

/** A removed older version is known: its messages are repaired by the schema they bring, and their receiver upcasts. */
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

/** Returns the version that an id names: 3 for `triage@3`. */
function versionOf(id: string): number {
  return Number(id.slice(id.lastIndexOf("@") + 1));
}

/** Context of a repair: the faulty value, the contract it should satisfy, and the sources of values. */
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

/** Returns what a repair of a case would work on; null for a case whose message cannot be judged here. */
export function readContext(surgery: Surgery, stored: StoredCase): RepairContext | null {
  const message = openMessage(surgery, stored);
  if (typeof message === "string" || message.envelope === null) return null;
  return findUnknown(surgery, message.record) === null ? repairContextOf(surgery, stored, message) : null;
}

/** Returns the faults of the subject's value; one issue if it is not JSON. */
export function faultsOf(context: RepairContext): readonly Issue[] {
  if (context.value === undefined)
    return [{ path: "", code: "not_json", message: "this is no JSON, or contradicts itself" }];
  return context.check?.(context.value) ?? [];
}

/** A case whose job this surgeon holds. Every change is fenced by the job's lock, so a lost lock changes nothing. */
export interface LeasedCase {
  readonly surgery: Surgery;
  readonly stored: StoredCase;
  readonly fence: CaseFence;
  readonly report: CaseReport;
  /** Aborted when the lock is lost or the process stops. */
  readonly signal: AbortSignal;
}

/** Quarantines a case until a person decides. */
export async function quarantine(
  { surgery, stored: from, fence, report }: LeasedCase,
  diagnosis: string,
  more: {
    readonly operation?: OperationRecord;
    /** A change that needs a second person. */
    readonly proposal?: Proposal;
    readonly updatesRun?: boolean;
  } = {},
): Promise<"done"> {
  const { operation = null } = more;
  const isMoved = await quarantineCase(surgery.store, {
    ...more,
    from,
    by: SURGEON_ID,
    diagnosis,
    operation,
    fence,
  });
  if (isMoved) report.end("quarantined", operation?.attempts);
  return "done";
}

/** Puts a case back for `delayMs`. */
export async function postpone(
  { surgery, stored: from, fence, report }: LeasedCase,
  delayMs: number,
  why: string,
): Promise<"done"> {
  await postponeCase(surgery.store, { from, by: SURGEON_ID, fence, delayMs, why });
  report.end("postponed");
  return "done";
}

/** Discards a case. */
export async function discard(
  { surgery, stored: from, fence, report }: LeasedCase,
  how: Omit<Parameters<typeof discardCase>[1], "from" | "fence">,
): Promise<"done"> {
  if (await discardCase(surgery.store, { ...how, from, fence })) report.end("discarded");
  return "done";
}

/**
 * Seals and sends a replacement of the case's message (redrive), and closes the case.
 * @returns `sent`; `lost` if the case belongs to another job by now; or the error, if no message can carry it (too
 * large, no key for its receiver).
 */
export async function discharge(
  { surgery, stored, fence, report }: LeasedCase,
  message: ReadDeadMessage,
  how: Pick<Parameters<typeof dischargeCase>[1], "remedy" | "kind" | "by" | "why" | "operation" | "detail">,
): Promise<"sent" | "lost" | SutureError> {
  const { traceparent: parent, target_agent } = message.envelope.meta;
  const to = agentNameOf(how.remedy.to ?? target_agent);
  const team = surgery.teams.find(({ name }) => name === message.record.team);
  try {
    const sent = await dischargeCase(surgery.store, {
      ...how,
      from: stored,
      message,
      keyring: surgery.keyring,
      untrusted: team?.agents.get(to)?.options.guard?.untrusted?.payload ?? {},
      fence,
      traceparent: report.traceparentOfSend({ parent, to, case_id: stored.case_id }),
    });
    if (sent === null) return "lost";
    report.end(how.kind, how.operation?.attempts);
    return "sent";
  } catch (error) {
    if (error instanceof SutureError) return error;
    throw error;
  }
}

/** States of a run's message while it is in the ward. */
const DEAD: readonly string[] = ["in_ward", "quarantined"];

/**
 * Returns true when a case may report on the run and message that its record names. A verified message may; for any
 * other, the run's own record must show that this message died at this agent, because anybody can write a name.
 */
export async function mayUpdateRun(
  store: Store,
  stored: StoredCase,
  message: OpenedDeadMessage | string,
): Promise<boolean> {
  if (typeof message !== "string" && message.envelope !== null) return true;
  const { runId, messageId, agent } = recordOf(stored);
  const messages = await store.runs.messages(runId);
  const own = messages.find(({ message_id }) => message_id === messageId);
  return own !== undefined && own.agent === agent && DEAD.includes(own.state);
}
