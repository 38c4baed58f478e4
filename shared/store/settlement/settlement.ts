import { now } from "#shared/clock";
import type { FanOutOpening } from "../fan-outs/fan-out-record.ts";
import type { Job, PlainJob } from "../queues/handoff-queues.ts";
import type { RunChange } from "../runs/run-event.ts";
import type { CrashPointName } from "#shared/crash-points";
import type { RunsCall } from "../scripts/runs.ts";

/** A handoff whose receiver must accept it by `dueMs`. Stored in its sender's slot. */
export interface PendingAcknowledgement {
  readonly messageId: string;
  /** The receiver. */
  readonly agent: string;
  readonly dueMs: number;
}

/** A dead message to be admitted to the ward (DLQ). Opaque here; `shared/ward` defines its form. */
export type Admission = Readonly<Record<string, unknown>> & { readonly case_id: string };

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

/** Effects in the form that one script writes together with the outcome. */
export interface ScriptEffects {
  readonly jobs: readonly PlainJob[];
  readonly runs: RunsCall;
}

/** A fenced outcome of a message or a case, and the two scripts that can write it. */
export interface Decision<Written> {
  /** Slot whose outbox takes the effects: an agent, `ward` or `runs`. */
  readonly slot: string;
  /** Null: no effects. */
  readonly entry: OutboxEntry | null;
  /** Writes the outcome and its effects in one script. Absent: not supported. */
  readonly together?: (scriptEffects: ScriptEffects) => Promise<Written>;
  /** Writes the outcome with its outbox entry in one script. */
  readonly withEntry: () => Promise<Written>;
  /** True if this call wrote the outcome; effects of a refused or repeated one are not delivered. */
  readonly stands: (written: Written) => boolean;
  /** Crash points before the entry is delivered, and before it is deleted (for tests). */
  readonly crashPoints?: readonly [CrashPointName, CrashPointName];
}

/** Admits dead messages to the ward; idempotent. `shared/ward` implements it. */
export interface WardIntake {
  admit(admission: Admission): Promise<void>;
}

/**
 * Writes outcomes with their effects: atomic, fenced, effects delivered at least once.
 *
 * Two adapters: `OneScript` where one Redis holds every slot, `ByOutbox` elsewhere. Both take the same effects and
 * return the same result; they differ only in whether a crash can separate the outcome from its effects.
 */
export interface Settlement {
  /** Writes a decision and delivers its effects. A relay retries failed deliveries. */
  settle<Written>(decision: Decision<Written>): Promise<Written>;
  /** Delivers an entry of a slot's outbox and deletes it. Never throws: a relay retries failures. */
  deliver(slot: string, entry: OutboxEntry): Promise<void>;
  /** Delivers entries that crashes left in a slot's outbox. @returns The number of entries. */
  relay(slot: string, olderThanMs?: number): Promise<number>;
  /**
   * Returns the effects in the form of a script that writes its own outcome; null if they must go through the outbox.
   */
  scriptEffectsOf(effects: Effects): ScriptEffects | null;
  /** Prefix of all keys if a script may read every slot; null if it may read only its own. */
  readonly scriptPrefix: string | null;
  /**
   * Returns the same settlement with a ward to admit dead messages.
   *
   * @param onLeft - Called when an entry is left to the relay, with the reason. Default: unchanged.
   */
  through(ward: WardIntake, onLeft?: LeftReport): Settlement;
}

/** Called when an entry is left to the relay, with the reason. */
export type LeftReport = (error: unknown, entry: OutboxEntry) => void;
