import type { CrashPointName } from "#shared/crash-points";
import type { PlainJob } from "../queues/handoff-queues.ts";
import type { RunsCall } from "../scripts/runs.ts";
import type { Admission, Effects, OutboxEntry } from "./effects.ts";

/** Effects in the form in which one script takes them beside the outcome. */
export interface Motion {
  readonly jobs: readonly PlainJob[];
  readonly runs: RunsCall;
}

/** An outcome of a message or a case behind its fence, and the two scripts that can write it. */
export interface Decision<Written> {
  /** Whose outbox takes the effects: an agent, `ward` or `runs`. */
  readonly slot: string;
  /** Null: it sets nothing in motion. */
  readonly entry: OutboxEntry | null;
  /** Writes the outcome and its effects in one script. Absent: no such script is worth its while. */
  readonly together?: (motion: Motion) => Promise<Written>;
  /** Writes the outcome with its entry of the outbox in one script. */
  readonly withEntry: () => Promise<Written>;
  /** Whether this call wrote it: what a fence refused, or was settled before, is not delivered. */
  readonly stands: (written: Written) => boolean;
  /** Passed before the entry is delivered, and before it is forgotten. */
  readonly crashPoints?: readonly [CrashPointName, CrashPointName];
}

/** Takes dead messages in; idempotent. `shared/ward` implements it above this room. */
export interface WardIntake {
  admit(admission: Admission): Promise<void>;
}

/**
 * Writes outcomes with their effects: atomic, fenced, effects delivered at least once.
 *
 * Two adapters: `OneScript` where one Redis holds every slot, `ByOutbox` elsewhere. Both take the same effects and give
 * the same answer; only where a crash can part the outcome from its effects differs.
 */
export interface Settlement {
  /** Writes a decision and delivers its effects. What cannot be delivered now, a relay delivers. */
  settle<Written>(decision: Decision<Written>): Promise<Written>;
  /** Delivers an entry of a slot's outbox and deletes it. Never throws: what fails, a relay delivers. */
  deliver(slot: string, entry: OutboxEntry): Promise<void>;
  /** Delivers what crashes left in a slot's outbox. @returns how many entries. */
  relay(slot: string, olderThanMs?: number): Promise<number>;
  /** The effects as a script takes them that writes its own outcome; null: they go by the outbox. */
  motionOf(effects: Effects): Motion | null;
  /** Prefix of all keys where a script may read every slot; null where it may read its own alone. */
  readonly scriptPrefix: string | null;
  /**
   * The same settlement for a process that also admits dead messages.
   *
   * @param onLeft - Called with the reason why an entry was left to the relay. Default: as before.
   */
  through(ward: WardIntake, onLeft?: LeftReport): Settlement;
}

/** Called with the reason why an entry was left to the relay. */
export type LeftReport = (error: unknown, entry: OutboxEntry) => void;
