import type { z } from "zod";
import { FAILURE_CLASSES } from "#shared/errors";
import { FieldReader, isObjectWith } from "#shared/store";
import type { StoredCase } from "#shared/store/cases";
import type { Admission } from "#shared/store/settlement";
import { DISPOSITIONS } from "./case.ts";
import { recordOf } from "./case-record.ts";
import { decisionSchema, proposalSchema } from "./decisions/decision.ts";
import type { Decision, Proposal } from "./decisions/decision.ts";
import type { OperationRecord } from "./moves/operation.ts";

/** A case with its messages. */
export interface CaseDetail extends WardCase {
  /** Signed admissions, oldest first, without the middle ones of many. */
  readonly admissions: readonly Admission[];
  readonly history: readonly OperationRecord[];
}

/** A case as people and the surgeon read it. */
export type WardCase = Readonly<ReturnType<typeof toWardCase>>;

export function toWardCase(stored: StoredCase) {
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
    /** The message in the ward now, or last. */
    message_id: text("message_id"),
    run_id: text("run_id"),
    team: text("team"),
    /** Receiver of that message. */
    agent: text("agent"),
    /** Receiver of the case's first message. */
    addressed_to: text("addressed_to"),
    contract: text("contract"),
    disposition: reader.oneOf("disposition", DISPOSITIONS, "quarantine"),
    subject: reader.oneOf("subject", SUBJECTS, "payload"),
    /** Producer of what is wrong. */
    producer: text("producer"),
    /** Number of messages that this case has had: more than one if a discharged message died again. */
    messages: count("messages"),
    /** Operations that ended with a verdict; waiting does not count. */
    operations: count("operations"),
    reroutes: count("reroutes"),
    /** Agents that have rejected this message. */
    // This and the next two, like the messages and operations below, are written by this room alone, in these types.
    taboo: (reader.json("taboo", isListOfTexts) ?? []) as readonly string[],
    decision: reader.json("decision", fits(decisionSchema)) as Decision | null,
    // As above.
    proposal: reader.json("proposal", fits(proposalSchema)) as Proposal | null,
    /** Reason for the wait before the surgeon's next attempt, and its end; null if it is not waiting. */
    waits:
      fields["waits_why"] === undefined
        ? null
        : { why: fields["waits_why"], until_ms: count("waits_until_ms") },
    /** The message that replaced the last one; null before. */
    discharged_as: fields["discharged_as"] ?? null,
    /** The surgeon's pending job; null if none. */
    job_id: fields["job_id"] ?? null,
    /** Times that the surgeon's job was lost or crashed. */
    restarts: count("restarts"),
    /** Cost of this case's surgery so far, in USD. */
    cost: count("cost_micro") / 1_000_000,
    closed_ms: reader.numberOrNull("closed_ms"),
    ...(stored.archived === undefined ? {} : { archived: stored.archived }),
  };
  const unreadable: readonly string[] = [...(stored.unreadable ?? []), ...reader.unreadable];
  const { diagnosis = null } = fields;
  const places = `Its record cannot be read at ${unreadable.join(", ")}.`;
  return {
    ...read,
    /** Reason for which it waits for a person; null if it does not. */
    diagnosis: unreadable.length === 0 ? diagnosis : [places, diagnosis ?? ""].join(" ").trim(),
    /** Names of damaged fields; if any, only a discard is allowed. Usually empty. */
    unreadable,
  };
}

const SUBJECTS = ["payload", "answer"] as const;

function fits(schema: z.ZodType): (value: unknown) => boolean {
  return (value) => schema.safeParse(value).success;
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
  const { messages } = recordOf(stored);
  // Written by `admitCase`.
  return new FieldReader(stored.fields).json(`message:${messages}`) as Admission | null;
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
