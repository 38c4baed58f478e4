import type { FanOutOpening } from "./fan-outs/fan-out-record.ts";
import type { SendRequest } from "./queues/handoff-queues.ts";
import type { RunChange } from "./runs/run-event.ts";

/** A handoff whose receiver must accept it by `dueMs`. Kept by its sender. */
export interface PendingAcknowledgement {
  readonly messageId: string;
  /** The receiver. */
  readonly agent: string;
  readonly dueMs: number;
}

/** A dead letter on its way to the ward. Opaque here; `shared/ward` gives it its form. */
export type Admission = Readonly<Record<string, unknown>> & { readonly case_id: string };

/** A branch's answer as the agent that joins the branches has read it. */
export interface CollectedBranch {
  readonly fanOutId: string;
  readonly index: number;
  /** JSON text. */
  readonly answer: string;
}

/**
 * What one commit still owes the rest of the world: written with the outcome in one script, delivered afterwards as
 * often as it takes. Every part of it is idempotent at its receiver.
 */
export interface OutboxEntry {
  readonly id: string;
  readonly at_ms: number;
  readonly changes: readonly RunChange[];
  readonly sends: readonly SendRequest[];
  readonly admissions: readonly Admission[];
  /** Opened before anything is sent, so that the first answer finds it. Absent: none. */
  readonly fanOut?: FanOutOpening;
  /** What a branch brought to the isolated agent that joins it, which a relay counts for its fan-out. Absent: none. */
  readonly collected?: CollectedBranch;
  /** A fan-out that was let go: what came back is given to its join before anything is sent. Absent: none. */
  readonly gathers?: { readonly slot: string; readonly join: string; readonly fanOutId: string };
  /** Handoffs of `sender` whose receiver must accept in time. Absent: none. */
  readonly awaits?: { readonly sender: string; readonly pending: readonly PendingAcknowledgement[] };
}
