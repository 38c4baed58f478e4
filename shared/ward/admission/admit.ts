import { derivedId, timestamp } from "#shared/clock";
import { agentNameOf } from "#shared/envelope";
import { digestOf } from "#shared/envelope/seals";
import { isObject, jsonValueOf } from "#shared/schema";
import type { JsonValue } from "#shared/schema";
import type { Store } from "#shared/store";
import { moveInboxEntry } from "#shared/store/cases";
import type { StoredCase } from "#shared/store/cases";
import { PAYLOAD_FAILURES } from "#shared/errors";
import { producerKey } from "#shared/store/feedback";
import { effectsOf } from "#shared/store/settlement";
import type { Admission, Effects } from "#shared/store/settlement";
import type { CaseAdmission } from "../case.ts";
import { paidAnswersIn, recordOf, seenField, seenMark, WAIT_FIELDS, writeCase } from "../case-record.ts";
import type { CaseChanges, CaseField } from "../case-record.ts";
import { CaseChangedError } from "../errors.ts";
import { wardJob, quarantined } from "../moves/move-case.ts";
import { groupOf } from "../fingerprint.ts";
import { readAdmission } from "./read-admission.ts";
import { toWardCase } from "../ward-case.ts";

/** Maximum operations of a case; after that it waits for a person. */
export const OPERATIONS_OF_CASE_MAX = 2;

/** Maximum agents that a rejected message is offered to before it waits for a person. */
export const REROUTES_MAX = 5;

/** Messages of one case kept in full: the first and the latest. */
const MESSAGES_KEPT = 3;

/** Maximum attempts on conflicts. The only competitors are surgeons that take in the same admission. */
const TRIES_MAX = 10;

/**
 * Admits a dead message to the ward (DLQ): opens its case, or reopens the one it was discharged from, and queues a
 * job for the surgeon unless only a person may handle it. Idempotent by admission. A different admission of the same
 * message gets a case of its own, so that a forged one cannot displace the genuine one.
 *
 * @param entry - Its text in the inbox, which leaves with the same write. Default: it is in none.
 * @throws {AdmissionInvalidError} The admission is malformed.
 */
export async function admitCase(store: Store, admission: Admission, entry?: string): Promise<void> {
  const message = readAdmission(admission);
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const { caseId, present } = await findCaseOf(store, message, admission);
    if (hasSeen(present, message, admission)) {
      const seen = { field: seenField(message.message_id), mark: markOf(admission) };
      if (entry !== undefined) await moveInboxEntry(store, entry, { caseId, ...seen });
      return;
    }
    const arrival = toArrival(caseId, message, present);
    const { fingerprint, cause } = groupOfMessage(message);
    const written = await store.cases.write({
      caseId,
      expectedVersion: present?.version ?? 0,
      status: arrival.reason === null ? "admitted" : "quarantined",
      fingerprint,
      sets: writeCase(changesOf(arrival, message, admission)),
      removes: staleFields(present),
      arrival: {
        producer: producerKey(message.producer),
        cause: JSON.stringify(cause),
        // A message that another agent rejected was rerouted, not repaired.
        isReplay: present !== null && message.disposition !== "reroute",
        parties: partiesOf(message),
      },
      effects: arrival.effects,
      ...(entry === undefined ? {} : { entry }),
      audit: {
        case_id: caseId,
        at: timestamp(),
        by: message.admitted_by,
        action: present === null ? "admit" : "reopen",
        why: message.failures[0]?.code ?? "",
        detail: { message_id: message.message_id },
      },
    });
    if (written.kind === "gone") return;
    if (written.kind !== "written") continue;
    await countForProducer(store, message);
    return;
  }
  throw new CaseChangedError(admission.case_id);
}

/** Returns the case that the message names, if it was discharged from there; else its own. */
async function findCaseOf(
  store: Store,
  message: CaseAdmission,
  admission: Admission,
): Promise<{ caseId: string; present: StoredCase | null }> {
  const isOurs = (present: StoredCase | null): boolean =>
    present === null || hasSeen(present, message, admission);
  const named = await store.cases.find(message.case_id);
  const hasLeft =
    named !== null &&
    recordOf(named).dischargedAs === message.message_id &&
    seenMark(named, message.message_id) === null;
  if (hasLeft || isOurs(named)) return { caseId: message.case_id, present: named };
  for (const caseId of ownCaseIds(message.message_id, admission)) {
    const present = await store.cases.find(caseId);
    if (isOurs(present)) return { caseId, present };
  }
  throw new CaseChangedError(message.case_id);
}

/** Returns the ids of further cases that a message may be filed in, in order of preference. */
export function ownCaseIds(messageId: string, admission: Admission): readonly string[] {
  return [derivedId("case", messageId), derivedId("case", messageId, markOf(admission))];
}

/** Returns the deduplication mark of an admission. */
function markOf({ sealed }: Admission): string {
  return typeof sealed === "string" ? digestOf(sealed) : "";
}

function hasSeen(present: StoredCase | null, message: CaseAdmission, admission: Admission): boolean {
  const seen = present === null ? null : seenMark(present, message.message_id);
  return seen !== null && seen === markOf(admission);
}

interface Arrival {
  readonly messageNumber: number;
  readonly jobId: string;
  /** Reason for which it waits for a person; null if the surgeon may handle it. */
  readonly reason: string | null;
  readonly taboo: readonly string[];
  readonly isFirst: boolean;
  readonly effects: Effects | null;
}

const NO_FIELDS: Pick<StoredCase, "fields"> = { fields: {} };

function toArrival(caseId: string, message: CaseAdmission, present: StoredCase | null): Arrival {
  const version = (present?.version ?? 0) + 1;
  const reason = reasonForPerson(message, present);
  const jobId = `${caseId}.${version}`;
  // The admitter recorded the message's state in the run without knowing this reason.
  const isOverruled = reason !== null && message.disposition !== "quarantine" && message.bytes !== null;
  const { run_id, message_id, agent, branch } = message;
  const fields = { run_id, message_id, agent, ...(branch === undefined ? {} : { branch }) };
  const changes = isOverruled ? [quarantined({ case_id: caseId, version: version - 1, fields }, reason)] : [];
  const sends = reason === null ? [wardJob(caseId, jobId, 0)] : [];
  const isEmpty = changes.length + sends.length === 0;
  const known = recordOf(present ?? NO_FIELDS);
  const taboo = present === null ? [] : toWardCase(present).taboo;
  return {
    messageNumber: known.messages + 1,
    jobId,
    reason,
    taboo: message.disposition === "reroute" ? [...new Set([...taboo, message.agent])] : taboo,
    isFirst: present === null,
    effects: isEmpty ? null : effectsOf({ changes, sends }),
  };
}

function reasonForPerson(message: CaseAdmission, present: StoredCase | null): string | null {
  const known = recordOf(present ?? NO_FIELDS);
  if (message.failures[0]?.code === "MESSAGE_GONE") return "What was stored of it has been deleted.";
  if (message.bytes === null) return "It never verified; nobody has read it.";
  if (message.disposition === "quarantine") return quarantineReason(message);
  if (message.disposition === "reroute") {
    const { reroutes } = known;
    return reroutes >= REROUTES_MAX ? `${reroutes} other agents were tried.` : null;
  }
  const { operations } = known;
  return operations >= OPERATIONS_OF_CASE_MAX ? `It came back after ${operations} operations.` : null;
}

/** Describes what a person must check, or what a release means, where the failure class does not say enough. */
function quarantineReason({ failures }: CaseAdmission): string {
  const [failure] = failures;
  if (failure?.failure_class === "unsafe") return `${failure.message} ${failure.remedy}`;
  if (failure?.failure_class === "expired")
    return "It expired before it was handled. A release runs it now, with a fresh life.";
  return "What went wrong is not for a machine to repair.";
}

function changesOf(arrival: Arrival, message: CaseAdmission, admission: Admission): CaseChanges {
  return {
    message_id: message.message_id,
    run_id: message.run_id,
    team: message.team,
    agent: message.agent,
    ...(arrival.isFirst ? { addressed_to: message.agent } : {}),
    contract: message.contract,
    disposition: message.disposition,
    failure_class: message.failures[0]?.failure_class ?? "handler_error",
    subject: message.subject.kind,
    branch: message.branch,
    producer: message.producer.agent,
    taboo: arrival.taboo,
    arrived: {
      number: arrival.messageNumber,
      messageId: message.message_id,
      admission,
      mark: markOf(admission),
    },
    ...(arrival.reason === null ? { job_id: arrival.jobId } : { diagnosis: arrival.reason }),
  };
}

/** Fields about the message before, and messages between the first and the latest. */
function staleFields(present: StoredCase | null): CaseField[] {
  if (present === null) return [];
  const { messages } = recordOf(present);
  const crowded = messages >= MESSAGES_KEPT ? [`message:${messages - MESSAGES_KEPT + 2}` as const] : [];
  return [
    "diagnosis",
    "decision",
    "proposal",
    "discharged_as",
    "job_id",
    "restarts",
    "closed_ms",
    ...WAIT_FIELDS,
    // A model's answer about the last message does not apply to this one.
    ...paidAnswersIn(present),
    ...crowded,
  ];
}

function groupOfMessage(message: CaseAdmission): ReturnType<typeof groupOf> {
  const failure = message.failures[0];
  return groupOf({
    agent: message.agent,
    contract: message.contract === "" ? null : message.contract,
    schema: message.schema,
    failure_class: failure?.failure_class ?? "handler_error",
    issues: failure?.issues ?? [],
    value: faultyValueOf(message),
    message: failure?.message,
  });
}

/** Only told from its text: nobody has verified it yet. */
function faultyValueOf({ subject, bytes }: CaseAdmission): JsonValue | undefined {
  if (subject.kind === "answer") return jsonValueOf(subject.text);
  const envelope = bytes === null ? undefined : jsonValueOf(bytes);
  return isObject(envelope) ? envelope["data_payload"] : undefined;
}

/** Returns everything involved in the message that has a version, as `name@version`. */
function partiesOf({ producer, contract, admitted_by }: CaseAdmission): { name: string; version: number }[] {
  const names = new Set([producer.agent, producer.contract, contract, admitted_by]);
  return [...names].flatMap((name) => {
    const version = /@(\d{1,9})$/.exec(name)?.[1];
    return version === undefined ? [] : [{ name: agentNameOf(name), version: Number(version) }];
  });
}

/**
 * Counts a dead message for the producer of its malformed form or content, and no failure of an agent's own code,
 * rejection or outage. Beside the case's script: a crash between the two leaves one uncounted, which a rate may lack.
 */
async function countForProducer(store: Store, message: CaseAdmission): Promise<void> {
  const failure = message.failures[0];
  if (failure === undefined || failure.direction === "run") return;
  if (!PAYLOAD_FAILURES.includes(failure.failure_class)) return;
  await store.rates.countOutputs({ bad: new Map([[producerKey(message.producer), 1]]) });
}
