import { TENANT_DEFAULT } from "#shared/config";
import type { Job } from "../queues/handoff-queues.ts";
import { FieldReader } from "../read-fields.ts";
import type { ReadBy } from "../script-reply.ts";
import type { acceptRun } from "../scripts/runs.ts";
import type { MessageState } from "./run-event.ts";

/** A run's status; `in_ward`: only the surgeon has a message, `quarantined`: a person must; the last four are final. */
export const RUN_STATUSES = [
  "queued",
  "running",
  "in_ward",
  "quarantined",
  "completed",
  "failed",
  "cancelled",
  "expired",
] as const;

export type RunStatus = (typeof RUN_STATUSES)[number];

export const ENDED_STATUSES: readonly RunStatus[] = ["completed", "failed", "cancelled", "expired"];

export interface RunRecord {
  readonly run_id: string;
  readonly trace_id: string;
  readonly team: string;
  /** Owner. Runs of releases without tenants belong to the default tenant. */
  readonly tenant: string;
  /** Name of the API key that submitted it. Absent: none, or not recorded. */
  readonly submitted_by?: string;
  readonly status: RunStatus;
  readonly created_ms: number;
  readonly ended_ms: number | null;
  readonly result: unknown;
  readonly error: unknown;
  /** USD spent so far, over all branches. */
  readonly cost: number;
  readonly tokens: number;
  readonly messages: { readonly open: number; readonly in_ward: number; readonly quarantined: number };
  /** Names of fields that cannot be read; `record` means all of them. Absent: none. */
  readonly unreadable?: readonly string[];
  /** It has left Redis and was read from the archive. Absent: it is in Redis. */
  readonly archived?: true;
}

/** A run as lists have it: without what may be large. */
export type ListedRun = Omit<RunRecord, "result" | "error">;

export interface RunMessage {
  readonly message_id: string;
  readonly state: MessageState;
  readonly agent: string;
  readonly rank: number;
  /** Fan-out branch, in one word; null for none. */
  readonly branch: string | null;
}

export interface AcceptRequest {
  readonly runId: string;
  readonly traceId: string;
  readonly team: string;
  readonly send: Job;
  /** Expiry of its first message, in ms since the epoch; null: never. Default: not recorded. */
  readonly expiresMs?: number | null;
  /** The webhook that is told of its end, as JSON text. Default: none. */
  readonly webhook?: string;
  /** Idempotency key and digest of the body; null without a key. */
  readonly idempotency: { readonly key: string; readonly digest: string } | null;
  readonly idempotencyLifeMs: number;
  /** Maximum waiting runs; above it new runs are refused (backpressure). */
  readonly waitingMax: number;
  /** Default: the default tenant, without an account. */
  readonly owner?: RunOwner;
}

/** Owner of a run, and the accounts whose quota it uses until it ends. */
interface RunOwner {
  readonly tenant: string;
  /** Name of the API key that submits it. Default: none. */
  readonly submittedBy?: string | undefined;
  readonly accounts: readonly RunAccount[];
}

/** An account with its quota; null means no limit. */
export interface RunAccount {
  /** Without spaces. */
  readonly name: string;
  /** Maximum runs that have not ended. */
  readonly openMax: number | null;
  /** Maximum runs that no agent has started. */
  readonly waitingMax: number | null;
  /** Maximum spending per day (UTC), in micro-USD. */
  readonly dayMicroMax: number | null;
}

/** `conflict`: the idempotency key was used with another body. */
export type Accepted = ReadBy<typeof acceptRun.declared.reply>;

export type AccountLimit = Extract<Accepted, { kind: "over" }>["limit"];

export type RunCounts = Readonly<Record<RunStatus | "submitted", number>>;

/** Fields of a run's hash that `ListedRun` is made of. */
export const LISTED_FIELDS = [
  "trace_id",
  "team",
  "tenant",
  "submitted_by",
  "status",
  "created_ms",
  "ended_ms",
  "cost_micro",
  "tokens",
  "n_open",
  "n_in_ward",
  "n_quarantined",
] as const;

/** Parses a run's hash. */
export function toRecord(runId: string, fields: Readonly<Record<string, string>>): RunRecord {
  const reader = new FieldReader(fields);
  const record = {
    run_id: runId,
    trace_id: fields["trace_id"] ?? "",
    team: fields["team"] ?? "",
    tenant: fields["tenant"] ?? TENANT_DEFAULT,
    ...(fields["submitted_by"] === undefined ? {} : { submitted_by: fields["submitted_by"] }),
    status: reader.oneOf("status", RUN_STATUSES, "running"),
    created_ms: reader.number("created_ms"),
    ended_ms: reader.numberOrNull("ended_ms"),
    result: reader.json("result"),
    error: reader.json("error"),
    cost: reader.number("cost_micro") / 1_000_000,
    tokens: reader.number("tokens"),
    messages: {
      open: reader.number("n_open"),
      in_ward: reader.number("n_in_ward"),
      quarantined: reader.number("n_quarantined"),
    },
  };
  return reader.unreadable.length === 0 ? record : { ...record, unreadable: reader.unreadable };
}

/** Parses a message of a run's record: rank, state, agent and branch, separated by bars. */
export function toMessage(messageId: string, text: string): RunMessage {
  const [rank = "0", state = "open", agent = "", branch = null] = text.split("|");
  // apply-to-runs.lua writes only the five states that our journal passes.
  return { message_id: messageId, rank: Number(rank), state: state as MessageState, agent, branch };
}
