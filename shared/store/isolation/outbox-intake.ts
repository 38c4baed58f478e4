import type { Keys } from "../keys.ts";
import { takeOutbox } from "../scripts/outbox.ts";
import type { RedisClient } from "../script.ts";

/** An outbox entry as an isolated agent wrote it. Untrusted until verified. */
export interface TakenEntry {
  readonly id: string;
  /** "" if the entry is too large to be read. */
  readonly text: string;
}

/**
 * Reads one isolated agent's outbox for a relay. Several relays may read the same outbox: every delivery is
 * idempotent.
 */
export class OutboxIntake {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly bytesMax: number;

  /** @param bytesMax - Maximum size of one entry. */
  constructor(redis: RedisClient, keys: Keys, bytesMax: number) {
    this.redis = redis;
    this.keys = keys;
    this.bytesMax = bytesMax;
  }

  /**
   * Waits until an agent signals new entries.
   *
   * @param waiting - A dedicated connection: the command blocks.
   * @returns Up to `limit` ids of entries; none after `seconds` without a signal.
   */
  async waitForCalls(
    waiting: RedisClient,
    asked: { readonly agent: string; readonly seconds: number; readonly limit: number },
  ): Promise<readonly string[]> {
    const { agent, seconds, limit } = asked;
    const called = await waiting.blmpop(seconds, 1, this.keys.outboxCalls(agent), "LEFT", "COUNT", limit);
    return called?.[1] ?? [];
  }

  /** Returns those of these entries that still exist. */
  async take(agent: string, ids: readonly string[]): Promise<readonly TakenEntry[]> {
    return ids.length === 0 ? [] : this.ask(agent, { anyOf: 0, ids });
  }

  /** Returns up to `limit` entries in any order, to find those whose signal was lost. */
  async takeAny(agent: string, limit: number): Promise<readonly TakenEntry[]> {
    return this.ask(agent, { anyOf: limit, ids: [] });
  }

  private async ask(
    agent: string,
    which: { readonly anyOf: number; readonly ids: readonly string[] },
  ): Promise<readonly TakenEntry[]> {
    return takeOutbox.run(this.redis, {
      outbox: this.keys.outbox(agent),
      bytesMax: this.bytesMax,
      ...which,
    });
  }
}
