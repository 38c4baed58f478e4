import type { Keys } from "../keys.ts";
import { Outbox } from "./outbox.ts";
import type { OutboxParts } from "./outbox.ts";
import type { RunChange } from "../runs/run-event.ts";
import type { RedisClient } from "../script.ts";
import { entryOf } from "./effects.ts";
import type { OutboxEntry } from "./effects.ts";

/**
 * The outbox of an agent that may write its own slot and nothing else. Entries stay where the commit wrote them; a
 * trusted relay is called, verifies each one and delivers it.
 */
export class RelayedOutbox extends Outbox {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly agent: string;

  constructor(parts: OutboxParts, agent: string) {
    super(parts);
    this.redis = parts.redis;
    this.keys = parts.keys;
    this.agent = agent;
  }

  /** Calls a relay. A call that is lost costs seconds: relays also look through outboxes by themselves. */
  override async deliver(entry: OutboxEntry): Promise<void> {
    await this.redis.rpush(this.keys.outboxCalls(this.agent), entry.id);
  }

  /** Deletes nothing: the relay deletes what it delivered. */
  override forget(): void {}

  /** Deletes nothing: the relay deletes what it delivered. */
  override forgetConfirmed(): Promise<void> {
    return Promise.resolve();
  }

  override async notify(change: RunChange): Promise<void> {
    const entry = entryOf(change.event.id, { changes: [change] });
    await this.redis.hset(this.keys.outbox(this.agent), entry.id, JSON.stringify(entry));
    await this.deliver(entry);
  }

  /** Delivers nothing: that is the relay's. */
  override relay(): Promise<number> {
    return Promise.resolve(0);
  }
}
