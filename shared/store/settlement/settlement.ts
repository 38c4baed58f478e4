import type { FanOutOpening } from "../fan-outs/fan-out-record.ts";
import type { FanOutStore } from "../fan-outs/fan-out-store.ts";
import type { HandoffQueues, Job } from "../queues/handoff-queues.ts";
import type { RunJournal } from "../runs/journal.ts";
import type { RunChange } from "../runs/run-event.ts";
import { isRedisReply } from "../script.ts";
import type { EffectsCall } from "../scripts/effects.ts";
import type { OpeningCall } from "../scripts/fan-outs.ts";
import { KeyDamagedError } from "../errors.ts";
import { StorePart } from "../store-part.ts";

/** A dead message for the ward (DLQ). Opaque here; `shared/ward` defines its form. */
export type Admission = Readonly<Record<string, unknown>> & { readonly case_id: string };

/** Effects of an outcome. Each kind is idempotent, so that a repeated script changes nothing. */
export interface Effects {
  /** Applied to the records of runs. */
  readonly changes: readonly RunChange[];
  /** Jobs to add to queues. */
  readonly sends: readonly Job[];
  /** Appended to the ward's inbox. */
  readonly admissions: readonly Admission[];
  /** Opened before anything is sent, so that the first answer finds it. */
  readonly fanOut?: FanOutOpening;
}

/** Completes effects of some kinds. */
export function effectsOf(effects: Partial<Effects>): Effects {
  return { changes: [], sends: [], admissions: [], ...effects };
}

/** A fenced outcome of a message or a case, and the script that writes it. */
export interface Decision<Written> {
  /** Null: no effects. */
  readonly effects: Effects | null;
  /** Writes the outcome and its effects in one script. */
  readonly write: (effects: EffectsCall, opening: OpeningCall | null) => Promise<Written>;
}

/** Writes outcomes with their effects in one script, so that no crash can separate them. */
export class Settlement extends StorePart<{
  readonly queues: HandoffQueues;
  readonly journal: RunJournal;
  readonly fanOuts: FanOutStore;
}> {
  /**
   * Writes a decision with its effects, all or nothing; held branches are staged before and renamed by the script.
   * @throws {KeyDamagedError} A key that an effect changes is of another type. The outcome was not written.
   */
  async settle<Written>({ effects, write }: Decision<Written>): Promise<Written> {
    const { fanOut, ...others } = effects ?? effectsOf({});
    try {
      const opening = fanOut === undefined ? null : await this.store.fanOuts.stage(fanOut);
      return await write(this.toCall(others), opening);
    } catch (error) {
      throw isDamage(error) ? new KeyDamagedError(error) : error;
    }
  }

  private toCall({ changes, sends, admissions }: Omit<Effects, "fanOut">): EffectsCall {
    const { keys, queues, journal } = this.store;
    return {
      jobs: sends.map((send) => queues.toCall(send)),
      inbox: keys.inbox(),
      admitted: admissions.map((admission) => JSON.stringify(admission)),
      ...journal.toCall(changes),
    };
  }
}

const DAMAGE = /^(?:WRONGTYPE|ERR .*(?:not an integer|not a valid float))/;

/** Errors of Redis about a key of another type or form; others (full, read-only, moved) end by themselves. */
function isDamage(error: unknown): boolean {
  return error instanceof Error && isRedisReply(error) && DAMAGE.test(error.message);
}
