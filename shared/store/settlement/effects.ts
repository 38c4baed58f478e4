import { now } from "#shared/clock";
import type { FanOutOpening } from "../fan-outs/fan-out-record.ts";
import type { Job } from "../queues/handoff-queues.ts";
import type { RunChange } from "../runs/run-event.ts";

/** A handoff whose receiver must accept it by `dueMs`. Kept by its sender. */
export interface PendingAcknowledgement {
  readonly messageId: string;
  /** The receiver. */
  readonly agent: string;
  readonly dueMs: number;
}

/** A dead message on its way to the ward. Opaque here; `shared/ward` gives it its form. */
export type Admission = Readonly<Record<string, unknown>> & { readonly case_id: string };

/** A branch's answer as the agent that joins the branches has read it. */
export interface CollectedBranch {
  readonly fanOutId: string;
  readonly index: number;
  /** JSON text. */
  readonly answer: string;
}

/** What an outcome sets in motion. Each kind is idempotent at its receiver: delivered twice is delivered once. */
export interface Effects {
  /** Applied to the records of runs. */
  readonly changes?: readonly RunChange[];
  /** Jobs for queues. */
  readonly sends?: readonly Job[];
  /** Dead messages for the ward. */
  readonly admissions?: readonly Admission[];
  /** Opened before anything is sent, so that the first answer finds it. */
  readonly fanOut?: FanOutOpening;
  /** What a branch brought to the isolated agent that joins it, which a relay counts for its fan-out. */
  readonly collected?: CollectedBranch;
  /** A fan-out that was let go: what came back is given to its join before anything is sent. */
  readonly gathers?: { readonly slot: string; readonly join: string; readonly fanOutId: string };
  /** Handoffs of `sender` whose receiver must accept in time. */
  readonly awaits?:
    | { readonly sender: string; readonly pending: readonly PendingAcknowledgement[] }
    | undefined;
}

/** Effects as the transactional outbox keeps them: written with the outcome, delivered at least once. */
export interface OutboxEntry extends Effects {
  readonly id: string;
  readonly at_ms: number;
  readonly changes: readonly RunChange[];
  readonly sends: readonly Job[];
  readonly admissions: readonly Admission[];
}

/** @param id - Derived from what is settled, so that the same effects are one entry however often they are written. */
export function entryOf(id: string, effects: Effects): OutboxEntry {
  return { id, at_ms: now(), changes: [], sends: [], admissions: [], ...effects };
}
