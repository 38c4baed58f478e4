import type { HandoffQueues, PlainJob } from "../queues/handoff-queues.ts";
import { byRun } from "../runs/journal.ts";
import type { RunJournal } from "../runs/journal.ts";
import { isRedisReply } from "../script.ts";
import type { ByOutbox } from "./by-outbox.ts";
import type { Effects, OutboxEntry } from "./effects.ts";
import type { Decision, LeftReport, ScriptEffects, Settlement, WardIntake } from "./settlement.ts";

interface OneScriptParts {
  readonly queues: HandoffQueues;
  readonly journal: RunJournal;
  /** For effects that a script cannot write. */
  readonly byOutbox: ByOutbox;
  readonly scriptPrefix: string;
}

/**
 * Settles in one script, where one Redis holds every slot, so that no crash can separate an outcome from its effects.
 * Effects that only BullMQ, the ward or the owner of another slot can write go through the outbox here, too.
 */
export class OneScript implements Settlement {
  readonly scriptPrefix: string;
  private readonly parts: OneScriptParts;

  constructor(parts: OneScriptParts) {
    this.parts = parts;
    this.scriptPrefix = parts.scriptPrefix;
  }

  async settle<Written>(decision: Decision<Written>): Promise<Written> {
    const scriptEffects = decision.entry === null ? null : this.scriptEffectsOf(decision.entry);
    if (scriptEffects === null || decision.together === undefined)
      return this.parts.byOutbox.settle(decision);
    try {
      return await decision.together(scriptEffects);
    } catch (error) {
      // A damaged key of the receiver or the run must not block the outcome.
      if (!isRedisReply(error)) throw error;
      return this.parts.byOutbox.settle(decision);
    }
  }

  deliver(slot: string, entry: OutboxEntry): Promise<void> {
    return this.parts.byOutbox.deliver(slot, entry);
  }

  relay(slot: string, olderThanMs?: number): Promise<number> {
    return this.parts.byOutbox.relay(slot, olderThanMs);
  }

  scriptEffectsOf(effects: Effects): ScriptEffects | null {
    const { changes = [], sends = [], admissions = [], awaits, fanOut } = effects;
    // Effects in other slots must come first.
    if (admissions.length > 0 || awaits !== undefined || fanOut !== undefined) return null;
    const jobs: PlainJob[] = [];
    for (const send of sends) {
      const plain = this.parts.queues.plainOf(send);
      if (plain === null) return null;
      jobs.push(plain);
    }
    return { jobs, runs: this.parts.journal.toCall(byRun(changes)) };
  }

  through(ward: WardIntake, onLeft?: LeftReport): OneScript {
    return new OneScript({ ...this.parts, byOutbox: this.parts.byOutbox.through(ward, onLeft) });
  }
}
