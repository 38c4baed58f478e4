import type { Keys } from "../keys.ts";
import { Script } from "../script.ts";
import type { RedisClient } from "../script.ts";

const takeOutbox = new Script("take-outbox.lua");

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
    return ids.length === 0 ? [] : this.ask(agent, [0, ...ids]);
  }

  /** Reads some entries, whichever they are: for what no call was heard of. */
  async takeAny(agent: string, limit: number): Promise<readonly TakenEntry[]> {
    return this.ask(agent, [limit]);
  }

  private async ask(agent: string, args: readonly (string | number)[]): Promise<readonly TakenEntry[]> {
    const reply = await takeOutbox.run(this.redis, {
      keys: [this.keys.outbox(agent)],
      args: [this.bytesMax, ...args],
    });
    const flat = Array.isArray(reply) ? reply : [];
    const entries: TakenEntry[] = [];
    for (let at = 0; at < flat.length; at += 2)
      entries.push({ id: String(flat[at]), text: String(flat[at + 1]) });
    return entries;
  }
}
