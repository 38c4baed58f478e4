import { now, sleep } from "#shared/clock";
import type { RedisClient } from "#shared/store";
import { RELAY_AFTER_MS } from "#shared/store/settlement";
import type { OutboxIntake, TakenEntry } from "#shared/store/settlement";
import { deliverEntry } from "./deliver-entry.ts";
import type { Delivered } from "./delivered.ts";
import { EntryRefusedError, RunRecordBehindError } from "./errors.ts";
import type { RefusalReason } from "./errors.ts";
import { quarantineRefused, quarantineTooLarge } from "./quarantine.ts";
import type { RelayParts } from "./relay.ts";
import type { RelayedAgent } from "./verify/verify-entry.ts";

/** Maximum time that one read of signals blocks, in seconds. */
const CALL_WAIT_SECONDS = 5;

/**
 * Maximum entries read at once, and in progress per agent, so that a flood from one agent leaves capacity for others.
 */
const TAKEN_AT_ONCE = 64;
const IN_HAND_MAX = 256;

/** Maximum entries read in one sweep. */
const SWEPT_AT_ONCE = 200;

/** How long a run's record may lag behind a settled message, in ms. */
const TOLD_WITHIN_MS = 60_000;

/** Maximum messages waiting for their run's record; honest agents stay far below. */
const UNTOLD_MAX = 10_000;

const AFTER_ERROR_MS = 500;

const LOG_EVERY_MS = 10_000;

/**
 * Delivers the entries of one agent's outbox, separately per agent (bulkhead), so that a flood or malformed entries
 * of one affect no other.
 */
export class Lane {
  private readonly parts: RelayParts;
  private readonly intake: OutboxIntake;
  private readonly by: RelayedAgent;
  private readonly inHand = new Map<string, Promise<void>>();
  /** Entries whose run's record does not know the message yet, with the time of the first attempt. */
  private readonly untold = new Map<string, number>();
  private readonly logged = new Map<RefusalReason, { readonly atMs: number; untold: number }>();
  private isStopping = false;

  constructor(parts: RelayParts, intake: OutboxIntake, by: RelayedAgent) {
    this.parts = parts;
    this.intake = intake;
    this.by = by;
  }

  /** Delivers signalled entries until stopped. @param waiting - A connection that may block. */
  async answerCalls(waiting: RedisClient, stopping: AbortSignal): Promise<void> {
    const { agent } = this.by;
    while (!stopping.aborted) {
      try {
        const asked = { agent, seconds: CALL_WAIT_SECONDS, limit: TAKEN_AT_ONCE };
        const ids = await this.intake.waitForCalls(waiting, asked);
        if (ids.length > 0) this.begin(await this.intake.take(agent, ids));
        while (this.inHand.size >= IN_HAND_MAX) await Promise.race(this.inHand.values());
      } catch (error) {
        if (stopping.aborted) return;
        this.parts.logger.warn({ err: error, agent }, "an agent's calls could not be read");
        await sleep(AFTER_ERROR_MS, stopping).catch(() => undefined);
      }
    }
  }

  /** Delivers entries without a signal, as left by a crash of the relay or the agent. */
  async sweep(): Promise<void> {
    if (this.isStopping || this.inHand.size >= IN_HAND_MAX) return;
    const entries = await this.intake.takeAny(this.by.agent, SWEPT_AT_ONCE);
    this.begin(entries.filter(({ text }) => isOld(text)));
    await Promise.all(this.inHand.values());
  }

  /** Resolves when all entries in progress are delivered or left. */
  async drain(): Promise<void> {
    this.isStopping = true;
    await Promise.all(this.inHand.values());
  }

  private begin(entries: readonly TakenEntry[]): void {
    for (const entry of entries) {
      if (this.inHand.has(entry.id)) continue;
      const done = this.handle(entry).finally(() => this.inHand.delete(entry.id));
      this.inHand.set(entry.id, done);
    }
  }

  /** Never throws. Entries that could not be delivered stay in the outbox for the next sweep. */
  private async handle(entry: TakenEntry): Promise<void> {
    const { store, logger, metrics } = this.parts;
    const { agent } = this.by;
    const startedMs = performance.now();
    try {
      await store.confirmation.confirm(store.keys.outbox(agent), entry.id);
      const delivered = await this.deliverOrRefuse(entry);
      await store.outbox.forgetConfirmed(agent, { ...delivered, id: entry.id, at_ms: 0 });
      this.untold.delete(entry.id);
      metrics.seconds.observe({}, (performance.now() - startedMs) / 1000);
    } catch (error) {
      if (error instanceof RunRecordBehindError) return;
      logger.warn({ err: error, agent }, "an entry could not be delivered and is tried again");
    }
  }

  private async deliverOrRefuse(entry: TakenEntry): Promise<Delivered> {
    const { parts, by } = this;
    try {
      if (entry.text === "") throw tooLarge(by);
      const delivered = await deliverEntry(parts, by, entry.text);
      parts.metrics.delivered.add({ agent: by.agent });
      return delivered;
    } catch (error) {
      const refused = error instanceof RunRecordBehindError ? this.refuseIfLate(entry, error) : error;
      if (!(refused instanceof EntryRefusedError)) throw refused;
      const delivered = await this.quarantine(entry, refused);
      parts.metrics.refused.add({ agent: by.agent, reason: refused.reason });
      this.logRefusal(refused);
      return delivered;
    }
  }

  private quarantine(entry: TakenEntry, error: EntryRefusedError): Promise<Delivered> {
    const { parts, by } = this;
    if (entry.text === "") return quarantineTooLarge(parts, by, { error, entryId: entry.id });
    return quarantineRefused(parts, by, { error, text: entry.text });
  }

  /** Logs at most one line per reason in ten seconds, so that a flood cannot fill the disk; the metric counts all. */
  private logRefusal(error: EntryRefusedError): void {
    const { agent } = this.by;
    const { reason } = error;
    const last = this.logged.get(reason) ?? { atMs: -Infinity, untold: 0 };
    const atMs = performance.now();
    if (atMs - last.atMs < LOG_EVERY_MS) return void (last.untold += 1);
    this.logged.set(reason, { atMs, untold: 0 });
    const { untold } = last;
    this.parts.logger.error({ err: error, agent, reason, untold }, "an agent asked for what it may not do");
  }

  private refuseIfLate(
    { id }: TakenEntry,
    error: RunRecordBehindError,
  ): EntryRefusedError | RunRecordBehindError {
    const firstMs = this.untold.get(id) ?? now();
    if (now() - firstMs < TOLD_WITHIN_MS && this.untold.size < UNTOLD_MAX) {
      this.untold.set(id, firstMs);
      return error;
    }
    this.untold.delete(id);
    const problem = "no run has the message that it is about";
    return new EntryRefusedError({ agent: this.by.agent, reason: "unknown_run", problem }, error);
  }
}

function tooLarge({ agent }: RelayedAgent): EntryRefusedError {
  return new EntryRefusedError({ agent, reason: "too_large", problem: "its entry is too large to be read" });
}

const AT_MS = /"at_ms":(\d{1,16})/;

/** Young entries may be in progress elsewhere. A negative age comes from a clock that was ahead. */
function isOld(text: string): boolean {
  const ageMs = now() - Number(AT_MS.exec(text)?.[1] ?? 0);
  return ageMs < 0 || ageMs >= RELAY_AFTER_MS;
}
