import type { CrashPointName } from "#shared/crash-points";
import type { PlainJob } from "../queues/handoff-queues.ts";
import type { RunsCall } from "../scripts/runs.ts";
import type { Admission, Effects, OutboxEntry } from "./effects.ts";

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
