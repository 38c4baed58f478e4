import { crashPoint } from "#shared/crash-points";
import type { Keys } from "../keys.ts";
import type { HandoffQueues } from "../queues/handoff-queues.ts";
import { byRun } from "../runs/journal.ts";
import type { RunJournal } from "../runs/journal.ts";
import { isRedisReply } from "../script.ts";
import type { EffectsCall } from "../scripts/effects.ts";
import type { Outbox } from "./outbox.ts";
import type { Decision, Effects, OutboxEntry, Settlement } from "./settlement.ts";

interface SettlementParts {
  readonly keys: Keys;
  readonly queues: HandoffQueues;
  readonly journal: RunJournal;
  readonly outbox: Outbox;
}

/** Returns effects in the form of the script that writes them beside their outcome. */
export function toEffectsCall(
  { keys, queues, journal }: Omit<SettlementParts, "outbox">,
  { changes = [], sends = [], admissions = [], awaits }: Omit<Effects, "fanOut">,
): EffectsCall {
  return {
    jobs: sends.map((send) => queues.toCall(send)),
    inbox: keys.inbox(),
    admitted: admissions.map((admission) => JSON.stringify(admission)),
    // Redis must be named a key that its user may use, where nothing is awaited too.
    acknowledgements: awaits === undefined ? keys.inbox() : keys.acknowledgements(awaits.sender),
    awaited: (awaits?.pending ?? []).map(({ dueMs, messageId, agent }) => ({
      dueMs,
      member: `${messageId}|${agent}`,
    })),
    ...journal.toCall(byRun(changes)),
  };
}

/**
 * Settles in one script, so that no crash can separate an outcome from its effects. A fan-out, and effects on a damaged
 * key, go by the outbox: the outcome with an entry, and the entry's effects after it.
 */
export class OneScript implements Settlement {
  private readonly parts: SettlementParts;
  private readonly onError: (error: Error) => void;

  constructor(parts: SettlementParts, onError: (error: Error) => void) {
    this.parts = parts;
    this.onError = onError;
  }

  async settle<Written>(decision: Decision<Written>): Promise<Written> {
    const { entry, withEntry } = decision;
    const isLarge = entry?.fanOut !== undefined;
    if (isLarge && withEntry !== undefined) return this.settleByEntry(decision, withEntry);
    try {
      return await decision.together(toEffectsCall(this.parts, entry ?? {}));
    } catch (error) {
      // A damaged key of the receiver or the run must not block the outcome.
      if (!isRedisReply(error) || withEntry === undefined) throw error;
      return this.settleByEntry(decision, withEntry);
    }
  }

  private async settleByEntry<Written>(
    decision: Decision<Written>,
    withEntry: () => Promise<Written>,
  ): Promise<Written> {
    const { slot, entry, crashPoints } = decision;
    const written = await withEntry();
    if (entry === null || !decision.stands(written)) return written;
    if (crashPoints !== undefined) crashPoint(crashPoints[0]);
    await this.deliver(slot, entry, () => {
      if (crashPoints !== undefined) crashPoint(crashPoints[1]);
    });
    return written;
  }

  async deliver(slot: string, entry: OutboxEntry, beforeForgotten = (): void => undefined): Promise<void> {
    try {
      await this.parts.outbox.deliver(entry);
      beforeForgotten();
      this.parts.outbox.forget(slot, entry);
    } catch (error) {
      this.onError(
        error instanceof Error ? error : new Error("an entry of the outbox could not be delivered"),
      );
    }
  }

  relay(slot: string, olderThanMs?: number): Promise<number> {
    return this.parts.outbox.relay(slot, olderThanMs);
  }
}
