import type { Keys } from "../keys.ts";
import { takeOutbox } from "../scripts/outbox.ts";
import type { RedisClient } from "../script.ts";

/** One entry as an agent left it. Nothing of it is true before it is verified. */
export interface TakenEntry {
  readonly id: string;
  /** "" for one that is too large to be read. */
  readonly text: string;
}

/** What a relay reads of one agent's outbox. Several relays may read the same: every delivery is idempotent. */
export class OutboxIntake {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly bytesMax: number;

  /** @param bytesMax - Of one entry. */
  constructor(redis: RedisClient, keys: Keys, bytesMax: number) {
    this.redis = redis;
    this.keys = keys;
    this.bytesMax = bytesMax;
  }

  /**
   * Waits for an agent to call a relay.
   *
   * @param waiting - A connection of its own: it blocks.
   * @returns Ids of entries, `limit` at most; none when nobody called within `seconds`.
   */
  async waitForCalls(
    waiting: RedisClient,
    asked: { readonly agent: string; readonly seconds: number; readonly limit: number },
  ): Promise<readonly string[]> {
    const { agent, seconds, limit } = asked;
    const called = await waiting.blmpop(seconds, 1, this.keys.outboxCalls(agent), "LEFT", "COUNT", limit);
    return called?.[1] ?? [];
  }

  /** Reads those of these entries that are still there. */
  async take(agent: string, ids: readonly string[]): Promise<readonly TakenEntry[]> {
    return ids.length === 0 ? [] : this.ask(agent, { anyOf: 0, ids });
  }

  /** Reads some entries, whichever they are: for what no call was heard of. */
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
