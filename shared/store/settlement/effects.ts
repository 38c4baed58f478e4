import { now } from "#shared/clock";
import type { FanOutOpening } from "../fan-outs/fan-out-record.ts";
import type { Job } from "../queues/handoff-queues.ts";
import type { RunChange } from "../runs/run-event.ts";

/** A handoff whose receiver must accept it by `dueMs`. Stored in its sender's slot. */
export interface PendingAcknowledgement {
  readonly messageId: string;
  /** The receiver. */
  readonly agent: string;
  readonly dueMs: number;
}

/** A dead message to be admitted to the ward (DLQ). Opaque here; `shared/ward` defines its form. */
export type Admission = Readonly<Record<string, unknown>> & { readonly case_id: string };

/** A branch's answer, as the joining agent read it. */
export interface CollectedBranch {
  readonly fanOutId: string;
  readonly index: number;
  /** JSON text. */
  readonly answer: string;
}

/** Effects of an outcome. Each kind is idempotent at its receiver, so that at-least-once delivery is safe. */
export interface Effects {
  /** Applied to the records of runs. */
  readonly changes?: readonly RunChange[];
  /** Jobs to add to queues. */
  readonly sends?: readonly Job[];
  /** Dead messages to admit to the ward (DLQ). */
  readonly admissions?: readonly Admission[];
  /** Opened before anything is sent, so that the first answer finds it. */
  readonly fanOut?: FanOutOpening;
  /** Answer of a branch at an isolated joining agent; a relay records it in the fan-out. */
  readonly collected?: CollectedBranch;
  /** A fan-out whose join starts: its answers are copied to the join's slot before anything is sent. */
  readonly gathers?: { readonly slot: string; readonly join: string; readonly fanOutId: string };
  /** Handoffs of `sender` that await acknowledgement. */
  readonly awaits?:
    | { readonly sender: string; readonly pending: readonly PendingAcknowledgement[] }
    | undefined;
}

/** Effects stored in the transactional outbox: written with the outcome, delivered at least once. */
export interface OutboxEntry extends Effects {
  readonly id: string;
  readonly at_ms: number;
  readonly changes: readonly RunChange[];
  readonly sends: readonly Job[];
  readonly admissions: readonly Admission[];
}

/** @param id - Derived from what is settled, so that writing the same effects again gives the same entry. */
export function entryOf(id: string, effects: Effects): OutboxEntry {
  return { id, at_ms: now(), changes: [], sends: [], admissions: [], ...effects };
}
