import { now } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { OutboxEntryUnreadableError } from "../errors.ts";
import type { FanOutStore } from "../fan-outs/fan-out-store.ts";
import type { HandoffQueues } from "../queues/handoff-queues.ts";
import { isObjectWith, readJson } from "../read-fields.ts";
import type { Keys } from "../keys.ts";
import type { Acknowledgements } from "../ledger/acknowledgements.ts";
import type { RunJournal } from "../runs/journal.ts";
import type { RunChange } from "../runs/run-event.ts";
import type { RedisClient } from "../script.ts";
import type { OutboxEntry } from "./settlement.ts";

export interface OutboxParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly queues: HandoffQueues;
  readonly journal: RunJournal;
  readonly acknowledgements: Acknowledgements;
  readonly fanOuts: FanOutStore;
}

/** Maximum delay before a delivered entry is deleted in a batch, in ms; far below the relay's grace period. */
const FORGET_AFTER_MS = 50;

/** Maximum entries deleted in one command. */
const FORGOTTEN_AT_ONCE_MAX = 500;

/** Grace period for the worker that wrote an entry to deliver it, before a relay does, in ms. */
export const RELAY_AFTER_MS = 2000;

/** The transactional outbox: entries are written with an outcome, delivered at least once, then deleted. */
export class Outbox {
  private readonly parts: OutboxParts;
  /** Delivered entries to delete, by slot. */
  private readonly delivered = new Map<string, string[]>();
  private forgetting: NodeJS.Timeout | undefined;

  constructor(parts: OutboxParts) {
    this.parts = parts;
  }

  /**
   * Delivers an entry: messages and changes of runs concurrently, since both are idempotent and independent of order.
   * Throws if any part failed; the entry then stays for the relay.
   */
  async deliver(entry: OutboxEntry): Promise<void> {
    const { redis, keys, acknowledgements, fanOuts, queues, journal } = this.parts;
    if (entry.awaits !== undefined) await acknowledgements.expect(entry.awaits.sender, entry.awaits.pending);
    const opened = entry.fanOut === undefined ? null : await fanOuts.open(entry.fanOut);
    crashPoint("W10:before_send");
    await Promise.all([...entry.sends.map((send) => queues.add(send)), journal.apply(entry.changes)]);
    // Last: a case may be decided at once, and its run's record must be written by then.
    const dead = entry.admissions.map((admission) => JSON.stringify(admission));
    if (dead.length > 0) await redis.rpush(keys.inbox(), ...dead);
    // It is in the outbox of the fan-out's join, whose relay deletes it.
    if (opened !== null) await this.deliver(opened);
  }

  /** Applies a change of a run that nothing else depends on. */
  async notify(change: RunChange): Promise<void> {
    await this.parts.journal.apply([change]);
  }

  /** Queues a delivered entry for deletion. If this process dies first, a relay delivers the entry once more. */
  forget(slot: string, entry: OutboxEntry): void {
    const { id } = entry;
    const ids = this.delivered.get(slot);
    if (ids === undefined) this.delivered.set(slot, [id]);
    else ids.push(id);
    this.forgetting ??= setTimeout(() => void this.flush().catch(() => undefined), FORGET_AFTER_MS).unref();
  }

  /** Deletes queued entries now. The relay delivers those again that could not be deleted. */
  async flush(): Promise<void> {
    clearTimeout(this.forgetting);
    this.forgetting = undefined;
    const slots = [...this.delivered];
    this.delivered.clear();
    await Promise.all(slots.map(([slot, ids]) => this.acknowledge(slot, ids)));
  }

  private async acknowledge(slot: string, ids: readonly string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += FORGOTTEN_AT_ONCE_MAX) {
      const some = ids.slice(from, from + FORGOTTEN_AT_ONCE_MAX);
      await this.parts.redis.hdel(this.parts.keys.outbox(slot), ...some);
    }
  }

  /** Returns the number of a slot's entries that are committed and not deleted. */
  async pending(slot: string): Promise<number> {
    return this.parts.redis.hlen(this.parts.keys.outbox(slot));
  }

  /**
   * Delivers the entries of a slot that are older than `olderThanMs`. One that fails does not block the others; the
   * first error is thrown at the end.
   *
   * @returns The number of entries delivered.
   */
  async relay(slot: string, olderThanMs: number = RELAY_AFTER_MS): Promise<number> {
    const key = this.parts.keys.outbox(slot);
    let cursor = "0";
    let delivered = 0;
    const failures: unknown[] = [];
    do {
      const [next, flat] = await this.parts.redis.hscan(key, cursor, "COUNT", 100);
      cursor = next;
      for (let i = 1; i < flat.length; i += 2) {
        const entry = readEntry(flat[i]);
        if (entry === null) {
          failures.push(new OutboxEntryUnreadableError(slot, flat[i - 1] ?? ""));
          continue;
        }
        // A negative age comes from a clock that was ahead: waiting for it could take hours.
        const ageMs = now() - entry.at_ms;
        if (ageMs >= 0 && ageMs < olderThanMs) continue;
        try {
          await this.deliver(entry);
          await this.acknowledge(slot, [entry.id]);
          delivered += 1;
        } catch (error) {
          failures.push(error);
        }
      }
    } while (cursor !== "0");
    if (failures.length > 0) throw failures[0];
    return delivered;
  }
}

/** Parses an entry that our own commit scripts wrote, under keys that only our processes can write. */
function readEntry(text: string | undefined): OutboxEntry | null {
  const entry = readJson(text ?? "");
  return isObjectWith(entry, "id") ? (entry as OutboxEntry) : null;
}
