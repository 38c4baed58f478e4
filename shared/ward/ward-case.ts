import type { FailureClass } from "#shared/errors";
import { FAILURE_CLASSES } from "#shared/errors";
import { FieldReader, isObjectWith } from "#shared/store";
import type { CaseStatus, StoredCase } from "#shared/store/cases";
import type { Admission } from "#shared/store/settlement";
import type { CaseAdmission } from "./case.ts";
import { CaseRecord } from "./case-record.ts";
import type { Decision, Proposal } from "./decisions/decision.ts";
import type { OperationRecord } from "./moves/operation.ts";

/** A case as people and the surgeon read it. */
export interface WardCase {
  readonly case_id: string;
  readonly version: number;
  readonly status: CaseStatus;
  readonly fingerprint: string;
  readonly failure_class: FailureClass;
  readonly admitted_ms: number;
  readonly updated_ms: number;
  /** The message in the ward now, or last. */
  readonly message_id: string;
  readonly run_id: string;
  readonly team: string;
  /** Receiver of that message. */
  readonly agent: string;
  /** Receiver of the case's first message. */
  readonly addressed_to: string;
  readonly contract: string;
  readonly disposition: CaseAdmission["disposition"];
  readonly subject: "payload" | "answer";
  /** Producer of what is wrong. */
  readonly producer: string;
  /** Number of messages that this case has had: more than one if a discharged message died again. */
  readonly messages: number;
  /** Operations that ended with a verdict; waiting does not count. */
  readonly operations: number;
  readonly reroutes: number;
  /** Agents that have rejected this message. */
  readonly taboo: readonly string[];
  readonly decision: Decision | null;
  readonly proposal: Proposal | null;
  /** Why it waits for a person; null if it does not. */
  readonly diagnosis: string | null;
  /** What the surgeon waits for before the next attempt, and its deadline; null if it is not waiting. */
  readonly waits: { readonly why: string; readonly until_ms: number } | null;
  /** The message that replaced the last one; null before. */
  readonly discharged_as: string | null;
  /** The surgeon's pending job; null if none. */
  readonly job_id: string | null;
  /** Times that the surgeon's job was lost or crashed. */
  readonly restarts: number;
  /** Cost of this case's surgery so far, in USD. */
  readonly cost: number;
  readonly closed_ms: number | null;
  /** Names of damaged fields; if any, only a discard is allowed. Usually empty. */
  readonly unreadable: readonly string[];
}

/** A case with its messages. */
export interface CaseDetail extends WardCase {
  /** Signed admissions, oldest first, without the middle ones of many. */
  readonly admissions: readonly Admission[];
  readonly history: readonly OperationRecord[];
}

export function toWardCase(stored: StoredCase): WardCase {
  const { fields } = stored;
  const reader = new FieldReader(fields);
  const text = (name: string): string => fields[name] ?? "";
  const count = (name: string): number => reader.number(name);
  const read = {
    case_id: stored.case_id,
    version: stored.version,
    status: stored.status,
    fingerprint: stored.fingerprint,
    failure_class: reader.oneOf("failure_class", FAILURE_CLASSES, "handler_error"),
    admitted_ms: stored.admitted_ms,
    updated_ms: stored.updated_ms,
    message_id: text("message_id"),
    run_id: text("run_id"),
    team: text("team"),
    agent: text("agent"),
    addressed_to: text("addressed_to"),
    contract: text("contract"),
    disposition: reader.oneOf("disposition", DISPOSITIONS, "quarantine"),
    subject: reader.oneOf("subject", SUBJECTS, "payload"),
    producer: text("producer"),
    messages: count("messages"),
    operations: count("operations"),
    reroutes: count("reroutes"),
    // These three, like the messages and operations below, are written by this room alone, in exactly these types.
    taboo: (reader.json("taboo", isListOfTexts) ?? []) as string[],
    decision: reader.json("decision", isDecision) as Decision | null,
    // As above.
    proposal: reader.json("proposal", (value) => isObjectWith(value, "by", "payload")) as Proposal | null,
    diagnosis: fields["diagnosis"] ?? null,
    waits:
      fields["waits_why"] === undefined
        ? null
        : { why: fields["waits_why"], until_ms: count("waits_until_ms") },
    discharged_as: fields["discharged_as"] ?? null,
    job_id: fields["job_id"] ?? null,
    restarts: count("restarts"),
    cost: count("cost_micro") / 1_000_000,
    closed_ms: reader.numberOrNull("closed_ms"),
  };
  const unreadable = [...(stored.unreadable ?? []), ...reader.unreadable];
  if (unreadable.length === 0) return { ...read, unreadable };
  const places = `Its record cannot be read at ${unreadable.join(", ")}.`;
  return { ...read, unreadable, diagnosis: [places, read.diagnosis ?? ""].join(" ").trim() };
}

const SUBJECTS = ["payload", "answer"] as const;
const DISPOSITIONS = ["operate", "quarantine", "reroute"] as const;

function isDecision(value: unknown): boolean {
  return isObjectWith(value, "kind", "by", "why", "at");
}

function isListOfTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

export function toCaseDetail(stored: StoredCase): CaseDetail {
  const { fields } = stored;
  return {
    ...toWardCase(stored),
    // Written by `admitCase`.
    admissions: numbered(fields, "message:").filter((one) => isObjectWith(one)) as Admission[],
    // Written by `writeCase`.
    history: numbered(fields, "operation:").filter(isOperation) as OperationRecord[],
  };
}

/** Returns the last operation; null before the first. */
export function lastOperation(stored: StoredCase): OperationRecord | null {
  // Written by `writeCase` into a bounded number of fields: the highest number is the last.
  const kept = numbered(stored.fields, "operation:").filter(isOperation) as OperationRecord[];
  return kept.toSorted((a, b) => a.number - b.number).at(-1) ?? null;
}

/** Returns the signed admission of the case's present message. */
export function latestAdmission(stored: StoredCase): Admission | null {
  return admissionOf(stored, String(new CaseRecord(stored).messages));
}

function admissionOf({ fields }: StoredCase, number: string): Admission | null {
  // Written by `admitCase`.
  return new FieldReader(fields).json(`message:${number}`) as Admission | null;
}

function numbered(fields: Readonly<Record<string, string>>, prefix: string): unknown[] {
  return Object.keys(fields)
    .filter((name) => name.startsWith(prefix))
    .toSorted((a, b) => Number(a.slice(prefix.length)) - Number(b.slice(prefix.length)))
    .map((name) => new FieldReader(fields).json(name))
    .filter((value) => value !== null);
}

function isOperation(value: unknown): boolean {
  return isObjectWith(value, "by", "at") && Array.isArray((value as OperationRecord).attempts);
}
