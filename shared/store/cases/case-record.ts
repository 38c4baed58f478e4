import type { OutboxEntry } from "../settlement/effects.ts";
import type { FinishTicket } from "../queues/finish-ticket.ts";

/**
 * Where a case stands.
 * - `admitted`: enters with a dead message (also one that reopens it), leaves when a surgeon claims it; kept until
 * then.
 * - `in_surgery`: enters by a claim, leaves by its end; a surgeon that dies is followed by another. Kept until then.
 * - `quarantined`: enters where no machine may or could help, leaves by a person's decision. Kept until then.
 * - `discharged`: the ladder healed it; a new message is under way. Reopened if that one dies. Kept for the
 * retention.
 * - `released`: a person sent it on; else as discharged.
 * - `discarded`: a person, or the end of its run, ended it; `restore` undoes that. Kept for the retention.
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

/** A case as it is kept: what the store itself steers by, and the fields that the ward gives their form. */
export interface StoredCase {
  readonly case_id: string;
  /** Rises by one with every change; what a change is compared with. */
  readonly version: number;
  readonly status: CaseStatus;
  readonly fingerprint: string;
  readonly admitted_ms: number;
  readonly updated_ms: number;
  readonly fields: Readonly<Record<string, string>>;
  /** Names of the above that cannot be read; `record` for all of it. Absent: none. */
  readonly unreadable?: readonly string[];
}

/** Fields that a listing reads. Messages and operations can be megabytes, and are left where they are. */
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

/** One line of the audit: who did what, when and why. No payload. */
export interface AuditEntry {
  /** Number of the line in the ward's audit. Absent in what older releases wrote, and before it is written. */
  readonly seq?: number;
  readonly case_id: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** A person's name, or `name@version` of an agent. */
  readonly by: string;
  /** `damaged`: the line cannot be read; `missing`: lines were here. */
  readonly action: string;
  readonly why: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** One change of a case. */
export interface CaseWrite {
  readonly caseId: string;
  /** The version this change was worked out from; 0 for a case that is not there yet. */
  readonly expectedVersion: number;
  readonly status: CaseStatus;
  readonly fingerprint: string;
  readonly sets: Readonly<Record<string, string>>;
  readonly removes?: readonly string[];
  /** Set when the change is the arrival of a message: it counts for its group and its producer. */
  readonly arrival?: CaseArrival;
  /** The recipe that healed the message. */
  readonly recipeId?: string;
  readonly outbox: OutboxEntry | null;
  readonly audit: AuditEntry | null;
  /** The surgeon's job; a surgeon that lost it can change nothing. Absent for people and admitters. */
  readonly fence?: CaseFence;
  /** The fence's job has nothing more to do after this change. Default false. */
  readonly endsJob?: boolean;
}

export interface CaseArrival {
  /** What malformed messages are counted by. */
  readonly producer: string;
  /** It left the ward repaired, and is back. */
  readonly isReplay: boolean;
  /** Who had to do with it, each with its version: what a group that was resolved in a version is compared with. */
  readonly parties: readonly (readonly [name: string, version: number])[];
}

export interface CaseFence {
  readonly jobId: string;
  /** BullMQ's lock token of this delivery. */
  readonly token: string;
  /** Lets the script of the last change end the job and take the next one. Default: the engine ends it. */
  readonly ticket?: FinishTicket | null;
}

export type CaseWritten =
  | { readonly kind: "written"; readonly version: number }
  /** Somebody changed the case meanwhile; read it again. */
  | { readonly kind: "stale" }
  /** Another surgeon holds the job. */
  | { readonly kind: "lost" };

export interface CasePage {
  readonly cases: readonly StoredCase[];
  /** Ids looked at, those of cases that are kept no more among them. */
  readonly searched: number;
  /** Pass it on for the next page; null at the end. */
  readonly cursor: string | null;
}

/** What a surgeon asks before it begins with a case, in one question. */
export interface CaseLook {
  /** Without its messages and operations while `mustWait`. */
  readonly stored: StoredCase | null;
  /** Changes with every recipe that the ladder has to hear of. */
  readonly recipesVersion: string;
  /** A model is being asked for the case's group, and others wait for what it says. */
  readonly mustWait: boolean;
  readonly isCancelled: boolean;
}

/** Which index a listing walks. */
export type CaseIndex =
  | { readonly kind: "all" }
  | { readonly kind: "status"; readonly status: CaseStatus }
  | { readonly kind: "group"; readonly fingerprint: string }
  | { readonly kind: "run"; readonly runId: string };
