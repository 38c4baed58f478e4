import type { Effects } from "../settlement/settlement.ts";
import type { AuditEntry } from "./read-audit.ts";
import type { FinishTicket } from "../scripts/queues.ts";
import { FieldReader } from "../read-fields.ts";

/**
 * Status of a case.
 * - `admitted`: enters with a dead message (or one that reopens it), leaves when a surgeon claims it.
 * - `in_surgery`: enters by a claim, leaves when the operation ends; another surgeon takes over after a crash.
 * - `quarantined`: enters where no automatic repair is possible or allowed, leaves by a person's decision.
 * - `discharged`: repaired and redriven as a new message. Reopened if that message dies. Kept for the retention.
 * - `released`: redriven by a person; otherwise like `discharged`.
 * - `discarded`: ended by a person or with its run; `restore` reverts that. Kept for the retention.
 *
 * Open cases (the first three) are kept without a time limit.
 */
export const CASE_STATUSES = [
  "admitted",
  "in_surgery",
  "quarantined",
  "discharged",
  "released",
  "discarded",
] as const;

export type CaseStatus = (typeof CASE_STATUSES)[number];

export const OPEN_CASE_STATUSES: readonly CaseStatus[] = ["admitted", "in_surgery", "quarantined"];

export type CaseCounts = Readonly<Record<CaseStatus, number>>;

/** A case as stored: the fields that the store itself uses, and those that the ward defines. */
export interface StoredCase {
  readonly case_id: string;
  /** Rises by one with every change; used for compare-and-set. */
  readonly version: number;
  readonly status: CaseStatus;
  readonly fingerprint: string;
  readonly admitted_ms: number;
  readonly updated_ms: number;
  readonly fields: Readonly<Record<string, string>>;
  /** Names of fields that cannot be read; `record` means all of them. Absent: none. */
  readonly unreadable?: readonly string[];
  /** It has left Redis and was read from the archive: nothing can be decided. Absent: it is in Redis. */
  readonly archived?: true;
}

/** Fields read for listings. Leaves out messages and operations, which can be megabytes. */
export const HEAD_FIELDS = [
  "version",
  "status",
  "fingerprint",
  "admitted_ms",
  "updated_ms",
  "closed_ms",
  "message_id",
  "run_id",
  "team",
  "agent",
  "addressed_to",
  "contract",
  "disposition",
  "failure_class",
  "subject",
  "producer",
  "messages",
  "operations",
  "reroutes",
  "restarts",
  "taboo",
  "decision",
  "proposal",
  "diagnosis",
  "waits_why",
  "waits_until_ms",
  "discharged_as",
  "job_id",
  "cost_micro",
] as const;

/** One change of a case. */
export interface CaseWrite {
  readonly caseId: string;
  /** Version that this change is based on (compare-and-set); 0 for a new case. */
  readonly expectedVersion: number;
  readonly status: CaseStatus;
  readonly fingerprint: string;
  readonly sets: Readonly<Record<string, string>>;
  readonly removes?: readonly string[];
  /** Set when the change admits a message: counted for its group and its producer. */
  readonly arrival?: CaseArrival;
  /** The recipe that healed the message. */
  readonly recipeId?: string;
  readonly effects: Effects | null;
  readonly audit: AuditEntry | null;
  /** Entry of the inbox that this change takes out. Where it is not there, nothing is written. */
  readonly entry?: string;
  /** Fences the change by the surgeon's job lock. Absent for people and for admissions. */
  readonly fence?: CaseFence;
  /** Finishes the fence's job with this change. Default false. */
  readonly endsJob?: boolean;
}

interface CaseArrival {
  /** Key under which malformed messages are counted. */
  readonly producer: string;
  /** Cause of its group: JSON list of texts without values. Default: unknown. */
  readonly cause?: string;
  /** True for a redriven message that came back dead. */
  readonly isReplay: boolean;
  /** Names and versions involved in the message; a regression compares them with the version of the resolution. */
  readonly parties: readonly { readonly name: string; readonly version: number }[];
}

export interface CaseFence {
  readonly jobId: string;
  /** BullMQ lock token of this delivery. */
  readonly token: string;
  /** Lets the last script finish the job and fetch the next one. Default: BullMQ finishes it. */
  readonly ticket?: FinishTicket | null;
}

export type CaseWritten =
  | { readonly kind: "written"; readonly version: number }
  /** The case was changed meanwhile; read it again. */
  | { readonly kind: "stale" }
  /** Another surgeon holds the job's lock. */
  | { readonly kind: "lost" }
  /** The entry is not in the inbox: another surgeon took it in, or a failover took it back. */
  | { readonly kind: "gone" };

export interface CasePage {
  readonly cases: readonly StoredCase[];
  /** Number of ids read, including those of deleted cases. */
  readonly searched: number;
  /** Cursor of the next page; null at the end. */
  readonly cursor: string | null;
}

/** The data that a surgeon needs before it begins with a case, read in one call. */
export interface CaseForSurgery {
  /** Without its messages and operations while `mustWait`. */
  readonly stored: StoredCase | null;
  /** Changes with every change of a recipe that affects the ladder. */
  readonly recipesVersion: string;
  /** True while another case of the group holds the model slot. */
  readonly mustWait: boolean;
  readonly isCancelled: boolean;
}

/** The index that a listing reads. */
export type CaseIndex =
  | { readonly kind: "all" }
  | { readonly kind: "status"; readonly status: CaseStatus }
  | { readonly kind: "group"; readonly fingerprint: string }
  | { readonly kind: "run"; readonly runId: string };

/** Returns the name of an index in the ward. */
export function indexName(index: CaseIndex): string {
  switch (index.kind) {
    case "all":
      return "index";
    case "status":
      return `index:status:${index.status}`;
    case "group":
      return `index:group:${index.fingerprint}`;
    case "run":
      return `index:run:${index.runId}`;
    default:
      return index satisfies never;
  }
}

/** Parses a case's hash; null if there is none. */
export function toStored(caseId: string, fields: Readonly<Record<string, string>>): StoredCase | null {
  if (fields["status"] === undefined) return null;
  const reader = new FieldReader(fields);
  const stored = {
    case_id: caseId,
    version: reader.number("version"),
    // A damaged case is treated as quarantined, so that no surgeon claims it.
    status: reader.oneOf("status", CASE_STATUSES, "quarantined"),
    fingerprint: fields["fingerprint"] ?? "",
    admitted_ms: reader.number("admitted_ms"),
    updated_ms: reader.number("updated_ms"),
    fields,
  };
  return reader.unreadable.length === 0 ? stored : { ...stored, unreadable: reader.unreadable };
}

/** Parses a case that the archive has. */
export function toArchived(caseId: string, fields: Readonly<Record<string, string>>): StoredCase | null {
  const stored = toStored(caseId, fields);
  return stored === null ? null : { ...stored, archived: true };
}

/** A case whose key has another type. */
export const NOTHING_READ: Omit<StoredCase, "case_id"> = {
  version: 0,
  status: "quarantined",
  fingerprint: "",
  admitted_ms: 0,
  updated_ms: 0,
  fields: {},
  unreadable: ["record"],
};
