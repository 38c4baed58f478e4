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
import type { OutboxEntry } from "./effects.ts";
import type { WardIntake } from "./settlement.ts";

export interface OutboxParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly queues: HandoffQueues;
  readonly journal: RunJournal;
  readonly acknowledgements: Acknowledgements;
  readonly fanOuts: FanOutStore;
  readonly confirmation: Confirmation;
}

/** How an entry is delivered. */
export interface DeliverOptions {
  /**
   * Where the entry was committed and may not be on replicas yet: nothing leaves before it is. Absent: it is
   * confirmed, or never was in an outbox.
   */
  readonly slot?: string;
  /** Takes its dead messages. Absent or null: an entry that has some is refused. */
  readonly ward?: WardIntake | null;
}

/** How long a delivered entry may wait to be deleted together with others, in ms; far below the relay's grace. */
const FORGET_AFTER_MS = 50;

/** Entries deleted in one command at most. */
const FORGOTTEN_AT_ONCE_MAX = 500;

/** The grace a relay leaves the worker that wrote an entry to deliver it itself. */
export const RELAY_AFTER_MS = 2000;

/** The transactional outbox: entries that were written with an outcome, delivered at least once, then deleted. */
export class Outbox {
  private readonly parts: OutboxParts;
  /** Delivered entries that are still stored, by slot. */
  private readonly delivered = new Map<string, string[]>();
  private forgetting: NodeJS.Timeout | undefined;

  constructor(parts: OutboxParts) {
    this.parts = parts;
  }

  /**
   * Delivers an entry in full: messages and the run's record at the same time, so that the next agent waits for
   * neither; both are idempotent and bear any order. Throws if any part failed; the entry then stays for the relay.
   *
   * @throws {NotReplicatedError | WardMissingError} Nothing was delivered.
   */
  async deliver(entry: OutboxEntry, how: DeliverOptions = {}): Promise<void> {
    const { confirmation, keys, acknowledgements, fanOuts, queues, journal } = this.parts;
    const { slot, ward = null } = how;
    if (ward === null && entry.admissions.length > 0) throw new WardMissingError(entry.id);
    if (slot !== undefined) await confirmation.confirm(keys.outbox(slot), entry.id);
    if (entry.awaits !== undefined) await acknowledgements.expect(entry.awaits.sender, entry.awaits.pending);
    const opened = entry.fanOut === undefined ? null : await fanOuts.open(entry.fanOut);
    if (entry.gathers !== undefined) await fanOuts.give(entry.gathers);
    crashPoint("W10:before_send");
    await Promise.all([...entry.sends.map((send) => queues.add(send)), journal.apply(entry.changes)]);
    // A case may be decided on at once; what its run says of it is written by then.
    if (ward !== null) await Promise.all(entry.admissions.map((admission) => ward.admit(admission)));
    // It stands in the outbox of the fan-out's join, whose relay forgets it.
    if (opened !== null) await this.deliver(opened, { ward });
  }

  /** Writes a change of a run that nothing else depends on. */
  async notify(change: RunChange): Promise<void> {
    await this.parts.journal.apply([change]);
  }

  /** Deletes a delivered entry soon, with others. If this process dies first, a relay delivers it once more. */
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

  /** Deletes queued entries now; the relay delivers once more what Redis does not delete. */
  async flush(): Promise<void> {
    clearTimeout(this.forgetting);
    this.forgetting = undefined;
    const slots = [...this.delivered];
    this.delivered.clear();
    await Promise.all(slots.map(([slot, ids]) => this.acknowledge(slot, ids)));
  }

  /**
   * Deletes a delivered entry once replicas have what it set in motion: else a failover could take that back and
   * leave the entry forgotten.
   *
   * @throws {NotReplicatedError} It stays, and the relay delivers it once more.
   */
  async forgetConfirmed(slot: string, entry: OutboxEntry): Promise<void> {
    const { keys, queues, confirmation } = this.parts;
    if (confirmation.isAsked) {
      await Promise.all([
        ...entry.sends.map((send) => confirmation.confirm(queues.keyOf(send), "data")),
        ...(entry.fanOut === undefined
          ? []
          : [confirmation.confirm(keys.fanOut(entry.fanOut.join, entry.fanOut.fanOutId), "total")]),
        ...(entry.gathers === undefined
          ? []
          : [confirmation.confirm(keys.fanOut(entry.gathers.join, entry.gathers.fanOutId), "total")]),
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

  /** Entries of a slot that are committed and not yet forgotten. */
  async pending(slot: string): Promise<number> {
    return this.parts.redis.hlen(this.parts.keys.outbox(slot));
  }

  /**
   * Delivers what a slot has left lying for longer than `olderThanMs`. An entry that cannot be delivered holds up no
   * other one; the first such error is thrown at the end.
   *
   * @returns how many entries it delivered.
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
        // An age below 0 comes from a clock that was ahead: waiting for it could take hours.
        const ageMs = now() - entry.at_ms;
        if (ageMs >= 0 && ageMs < olderThanMs) continue;
        // It would wait for the same replicas in vain.
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

/** Written by our own commit scripts as an OutboxEntry, under keys that only our processes may write. */
function readEntry(text: string | undefined): OutboxEntry | null {
  const entry = readJson(text ?? "");
  return isObjectWith(entry, "id") ? (entry as OutboxEntry) : null;
}
