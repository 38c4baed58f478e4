import { now } from "#shared/clock";
import type { Confirmation } from "./confirmation.ts";
import { NotReplicatedError } from "./errors.ts";
import type { HandoffQueues } from "./queues/handoff-queues.ts";
import type { Keys } from "./keys.ts";
import type { Acknowledgements } from "./ledger/acknowledgements.ts";
import type { Admission, OutboxEntry } from "./outbox-entry.ts";
import type { RunJournal } from "./runs/journal.ts";
import type { RedisClient } from "./script.ts";

export interface OutboxParts {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly queues: HandoffQueues;
  readonly journal: RunJournal;
  readonly acknowledgements: Acknowledgements;
  readonly confirmation: Confirmation;
  /** Takes a dead letter into the ward; idempotent by its case id. */
  readonly admit: (admission: Admission) => Promise<void>;
}

/** The grace a relay leaves the worker that wrote an entry to deliver it itself. */
export const RELAY_AFTER_MS = 2000;

export class Outbox {
  private readonly parts: OutboxParts;

  constructor(parts: OutboxParts) {
    this.parts = parts;
  }

  /**
   * Delivers an entry in full: the run's record first, so that a child is known before it can answer, then the
   * messages. Throws if any part failed; the entry then stays for the relay.
   *
   * @param slot - Where the entry was committed and may not be on replicas yet: nothing is told before it is. Leave it
   * out for what is confirmed, or never was in an outbox.
   * @throws {NotReplicatedError} Nothing was delivered.
   */
  async deliver(entry: OutboxEntry, slot?: string): Promise<void> {
    if (slot !== undefined) await this.parts.confirmation.confirm(this.parts.keys.outbox(slot), entry.id);
    if (entry.changes.length > 0) await this.parts.journal.apply(entry.changes);
    if (entry.awaits !== undefined) {
      await this.parts.acknowledgements.expect(entry.awaits.sender, entry.awaits.pending);
    }
    await Promise.all([
      ...entry.sends.map((send) => this.parts.queues.add(send)),
      ...entry.admissions.map((admission) => this.parts.admit(admission)),
    ]);
  }

  async acknowledge(slot: string, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.parts.redis.hdel(this.parts.keys.outbox(slot), ...ids);
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
  async relay(slot: string, olderThanMs: number = RELAY_AFTER_MS): Promise<number> {
    const key = this.parts.keys.outbox(slot);
    let cursor = "0";
    let delivered = 0;
    const failures: unknown[] = [];
    do {
      const [next, flat] = await this.parts.redis.hscan(key, cursor, "COUNT", 100);
      cursor = next;
      for (let i = 1; i < flat.length; i += 2) {
        // Written by our own commit scripts as an OutboxEntry, under keys that only our processes may write.
        const entry = JSON.parse(flat[i] ?? "") as OutboxEntry;
        // An age below 0 comes from a clock that was ahead: waiting for it could take hours.
        const ageMs = now() - entry.at_ms;
        if (ageMs >= 0 && ageMs < olderThanMs) continue;
        // It would wait for the same replicas in vain.
        if (failures.at(-1) instanceof NotReplicatedError) throw failures[0];
        try {
          await this.deliver(entry, slot);
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
