import type { Keys } from "../keys.ts";
import { Outbox } from "./outbox.ts";
import type { OutboxParts } from "./outbox.ts";
import type { RunChange } from "../runs/run-event.ts";
import type { RedisClient } from "../script.ts";
import { entryOf } from "./settlement.ts";
import type { OutboxEntry } from "./settlement.ts";

/**
 * Outbox of an isolated agent, which can write its own slot only. Entries stay there; a trusted relay is signalled,
 * verifies each entry and delivers it.
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

  /** Signals a relay. A lost signal costs seconds: relays also poll outboxes. */
  override async deliver(entry: OutboxEntry): Promise<void> {
    await this.redis.rpush(this.keys.outboxCalls(this.agent), entry.id);
  }

  /** Does nothing: the relay deletes what it delivered. */
  override forget(): void {}

  /** Does nothing: the relay deletes what it delivered. */
  override forgetConfirmed(): Promise<void> {
    return Promise.resolve();
  }

  override async notify(change: RunChange): Promise<void> {
    const entry = entryOf(change.event.id, { changes: [change] });
    await this.redis.hset(this.keys.outbox(this.agent), entry.id, JSON.stringify(entry));
    await this.deliver(entry);
  }

  /** Does nothing: the relay delivers. */
  override relay(): Promise<number> {
    return Promise.resolve(0);
  }
}
