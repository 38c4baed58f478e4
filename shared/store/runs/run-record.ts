import { TENANT_DEFAULT } from "#shared/config";
import type { OutboxEntry } from "../settlement/effects.ts";
import type { Job } from "../queues/handoff-queues.ts";
import { FieldReader } from "../read-fields.ts";
import type { MessageState } from "./run-event.ts";

/**
 * A run's states. `queued`: accepted, no agent has begun; `running`: a queue, an outbox or an agent holds a message of
 * it; `in_ward`: only the surgeon does; `quarantined`: only a person can move it. The other four are ends, kept for the
 * retention time.
 */
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
  /** Who owns it. Runs of releases that knew no tenants belong to the default one. */
  readonly tenant: string;
  /** Name of the API key that began it. Absent: none did, or a release that did not write it down. */
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
  /** Where to tell of the end; null for nobody. */
  readonly webhook: string | null;
  /** Names of fields of the record that cannot be read; `record` for all of it. Absent: none. */
  readonly unreadable?: readonly string[];
}

export interface RunMessage {
  readonly message_id: string;
  readonly state: MessageState;
  readonly agent: string;
  readonly rank: number;
  /** The branch of a fan-out that it belongs to, in one word; null for none. */
  readonly branch: string | null;
}

export interface AcceptRequest {
  readonly runId: string;
  readonly traceId: string;
  readonly team: string;
  readonly send: Job;
  /** When its first message expires, in ms since the epoch; null: never. Default: it is not written down. */
  readonly expiresMs?: number | null;
  readonly webhook: string | null;
  /** The client's key and a digest of its body; null when it gave none. */
  readonly idempotency: { readonly key: string; readonly digest: string } | null;
  readonly idempotencyLifeMs: number;
  /** Waiting runs at which new ones are refused. */
  readonly waitingMax: number;
  /** Default: the default tenant, without an account. */
  readonly owner?: RunOwner;
}

/** Whose run it is, and by whose accounts it is counted until it ends. */
export interface RunOwner {
  readonly tenant: string;
  /** Name of the API key that begins it. Default: none. */
  readonly submittedBy?: string | undefined;
  readonly accounts: readonly RunAccount[];
}

/** What counts together, with its limits; null is none. */
export interface RunAccount {
  /** Without spaces. */
  readonly name: string;
  /** Runs that have not ended, at which new ones are refused. */
  readonly openMax: number | null;
  /** Runs that no agent has begun, at which new ones are refused. */
  readonly waitingMax: number | null;
  /** Micro-USD of one day (UTC), at which new ones are refused. */
  readonly dayMicroMax: number | null;
}

export type AccountLimit = "open" | "waiting" | "day";

export type Accepted =
  /** `isDelivered`: the first message is in its queue already; else the entry is to be delivered, now or by a relay. */
  | { readonly kind: "accepted"; readonly entry: OutboxEntry; readonly isDelivered: boolean }
  | { readonly kind: "repeated"; readonly runId: string }
  /** The same key came with another body. */
  | { readonly kind: "conflict"; readonly runId: string }
  | { readonly kind: "full"; readonly waiting: number }
  | { readonly kind: "over"; readonly account: string; readonly limit: AccountLimit };

export type RunCounts = Readonly<Record<RunStatus | "submitted", number>>;

/** A run as its hash holds it. */
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
    webhook: fields["webhook"] ?? null,
  };
  return reader.unreadable.length === 0 ? record : { ...record, unreadable: reader.unreadable };
}

/** A message as its run's record holds it: rank, state, agent and branch, with bars between them. */
export function toMessage(messageId: string, text: string): RunMessage {
  const [rank = "0", state = "open", agent = "", branch = null] = text.split("|");
  // The state is one of the five that apply-to-runs.lua was given by our own journal.
  return { message_id: messageId, rank: Number(rank), state: state as MessageState, agent, branch };
}
