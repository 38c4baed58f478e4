import { now } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import type { Confirmation } from "../confirmation.ts";
import { NotReplicatedError, OutboxEntryUnreadableError, WardMissingError } from "../errors.ts";
import type { FanOutStore } from "../fan-outs/fan-out-store.ts";
import type { HandoffQueues } from "../queues/handoff-queues.ts";
import { isObjectWith, readJson } from "../read-fields.ts";
import type { Keys } from "../keys.ts";
import type { Acknowledgements } from "../ledger/acknowledgements.ts";
import { confirmChange } from "../runs/confirm-change.ts";
import type { RunJournal } from "../runs/journal.ts";
import type { RunChange } from "../runs/run-event.ts";
import type { RedisClient } from "../script.ts";
import type { OutboxEntry, WardIntake } from "./settlement.ts";

export interface OutboxParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly queues: HandoffQueues;
  readonly journal: RunJournal;
  readonly acknowledgements: Acknowledgements;
  readonly fanOuts: FanOutStore;
  readonly confirmation: Confirmation;
}

/** How to deliver an entry. */
interface DeliverOptions {
  /**
   * Slot of an entry that may not be replicated yet; it is confirmed before delivery. Absent: it is confirmed, or
   * never was in an outbox.
   */
  readonly slot?: string;
  /** Admits its dead messages. Absent or null: an entry with dead messages is refused. */
  readonly ward?: WardIntake | null;
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
   *
   * @throws {NotReplicatedError
   * WardMissingError} Nothing was delivered.
   */
  async deliver(entry: OutboxEntry, how: DeliverOptions = {}): Promise<void> {
    const { confirmation, keys, acknowledgements, fanOuts, queues, journal } = this.parts;
    const { slot, ward = null } = how;
    if (ward === null && entry.admissions.length > 0) throw new WardMissingError(entry.id);
    if (slot !== undefined) await confirmation.confirm(keys.outbox(slot), entry.id);
    if (entry.awaits !== undefined) await acknowledgements.expect(entry.awaits.sender, entry.awaits.pending);
    const opened = entry.fanOut === undefined ? null : await fanOuts.open(entry.fanOut);
    crashPoint("W10:before_send");
    await Promise.all([...entry.sends.map((send) => queues.add(send)), journal.apply(entry.changes)]);
    // Admitted last: a case may be decided at once, and its run's record must be written by then.
    if (ward !== null) await Promise.all(entry.admissions.map((admission) => ward.admit(admission)));
    // It is in the outbox of the fan-out's join, whose relay deletes it.
    if (opened !== null) await this.deliver(opened, { ward });
  }

  /** Applies a change of a run that nothing else depends on. */
  async notify(change: RunChange): Promise<void> {
    await this.parts.journal.apply([change]);
  }

  /** Queues a delivered entry for deletion. If this process dies first, a relay delivers the entry once more. */
  forget(slot: string, entry: OutboxEntry): void {
    if (this.parts.confirmation.isAsked) {
      void this.forgetConfirmed(slot, entry).catch(() => undefined);
      return;
    }
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

  /**
   * Deletes a delivered entry once replicas have its effects; otherwise a failover could lose them after the entry is
   * gone.
   *
   * @throws {NotReplicatedError} The entry stays, and the relay delivers it once more.
   */
  async forgetConfirmed(slot: string, entry: OutboxEntry): Promise<void> {
    const { keys, queues, confirmation } = this.parts;
    if (confirmation.isAsked) {
      await Promise.all([
        ...entry.sends.map((send) => confirmation.confirm(queues.keyOf(send), "data")),
        ...(entry.fanOut === undefined
          ? []
          : [confirmation.confirm(keys.fanOut(entry.fanOut.join, entry.fanOut.fanOutId), "total")]),
        ...entry.changes.map((change) => confirmChange(this.parts, change)),
        ...entry.admissions.map(({ case_id }) =>
          confirmation.confirm(keys.ward(`case:${case_id}`), "status"),
        ),
      ]);
    }
    await this.acknowledge(slot, [entry.id]);
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
  async relay(
    slot: string,
    how: { readonly olderThanMs?: number | undefined; readonly ward?: WardIntake | null } = {},
  ): Promise<number> {
    const { olderThanMs = RELAY_AFTER_MS, ward = null } = how;
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
        // Further entries would wait for the same replicas in vain.
        if (failures.at(-1) instanceof NotReplicatedError) throw failures[0];
        try {
          await this.deliver(entry, { slot, ward });
          await this.forgetConfirmed(slot, entry);
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
