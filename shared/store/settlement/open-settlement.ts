import { Cluster } from "ioredis";
import type { Keys } from "../keys.ts";
import type { HandoffQueues, PlainJob } from "../queues/handoff-queues.ts";
import type { RunJournal } from "../runs/journal.ts";
import type { RedisClient } from "../script.ts";
import type { Outbox } from "./outbox.ts";
import type {
  Decision,
  Effects,
  LeftReport,
  OutboxEntry,
  ScriptEffects,
  Settlement,
  WardIntake,
} from "./settlement.ts";
import { byRun } from "../runs/journal.ts";
import { isRedisReply } from "../script.ts";
import { crashPoint } from "#shared/crash-points";

interface SettlementParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly queues: HandoffQueues;
  readonly journal: RunJournal;
  readonly outbox: Outbox;
}

/**
 * Selects the settlement's adapter; nothing else does.
 *
 * @param how.isReplicated - Replicated mode publishes nothing before replicas confirm it, so the outcome is
 * committed on its own first.
 */
export function openSettlement(
  parts: SettlementParts,
  how: {
    readonly asked: "together" | "outbox" | undefined;
    readonly isReplicated: boolean;
    readonly onError: (error: Error) => void;
  },
): Settlement {
  const { redis, keys, queues, journal, outbox } = parts;
  const byOutbox = new ByOutbox(outbox, null, (error) =>
    how.onError(error instanceof Error ? error : new Error("an entry of the outbox could not be delivered")),
  );
  const holdsEverySlot = !(redis instanceof Cluster) && how.asked !== "outbox" && !how.isReplicated;
  if (!holdsEverySlot) return byOutbox;
  return new OneScript({ queues, journal, byOutbox, scriptPrefix: keys.prefix });
}

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
class OneScript implements Settlement {
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

/** Settles by the transactional outbox: outcome and entry in one script, effects after it. Works on any topology. */
class ByOutbox implements Settlement {
  readonly scriptPrefix = null;
  private readonly outbox: Outbox;
  private readonly ward: WardIntake | null;
  private readonly onLeft: LeftReport;

  /** @param ward - Null: entries with dead messages are left to a relay that has a ward. */
  constructor(outbox: Outbox, ward: WardIntake | null, onLeft: LeftReport) {
    this.outbox = outbox;
    this.ward = ward;
    this.onLeft = onLeft;
  }

  async settle<Written>(decision: Decision<Written>): Promise<Written> {
    const { slot, entry, crashPoints } = decision;
    const written = await decision.withEntry();
    if (entry === null || !decision.stands(written)) return written;
    if (crashPoints !== undefined) crashPoint(crashPoints[0]);
    await this.deliver(slot, entry, () => {
      if (crashPoints !== undefined) crashPoint(crashPoints[1]);
    });
    return written;
  }

  async deliver(slot: string, entry: OutboxEntry, beforeForgotten = (): void => undefined): Promise<void> {
    try {
      await this.outbox.deliver(entry, { slot, ward: this.ward });
      beforeForgotten();
      this.outbox.forget(slot, entry);
    } catch (error) {
      this.onLeft(error, entry);
    }
  }

  relay(slot: string, olderThanMs?: number): Promise<number> {
    return this.outbox.relay(slot, { olderThanMs, ward: this.ward });
  }

  scriptEffectsOf(): null {
    return null;
  }

  through(ward: WardIntake, onLeft: LeftReport = this.onLeft): ByOutbox {
    return new ByOutbox(this.outbox, ward, onLeft);
  }
}
