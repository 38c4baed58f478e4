import type { Keys } from "../keys.ts";
import type { OutboxEntry, PendingAcknowledgement } from "../outbox-entry.ts";
import { Script } from "../script.ts";
import type { RedisClient } from "../script.ts";

const refuseUnaccepted = new Script("refuse-unaccepted.lua");

const DUE_AT_ONCE_MAX = 100;

/** Handoffs that wait for their receiver's yes, by sender. */
export class Acknowledgements {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  private readonly ledgerLifeMs: number;

  constructor(redis: RedisClient, keys: Keys, ledgerLifeMs: number) {
    this.redis = redis;
    this.keys = keys;
    this.ledgerLifeMs = ledgerLifeMs;
  }

  async expect(sender: string, pending: readonly PendingAcknowledgement[]): Promise<void> {
    const members = pending.flatMap(({ dueMs, messageId, agent }) => [dueMs, `${messageId}|${agent}`]);
    if (members.length > 0) await this.redis.zadd(this.keys.acknowledgements(sender), ...members);
  }

  /** Those whose time is over, oldest first. */
  async due(sender: string, nowMs: number): Promise<PendingAcknowledgement[]> {
    const key = this.keys.acknowledgements(sender);
    const members = await this.redis.zrangebyscore(key, "-inf", nowMs, "LIMIT", 0, DUE_AT_ONCE_MAX);
    return members.map((member) => {
      const [messageId = "", agent = ""] = member.split("|");
      return { messageId, agent, dueMs: nowMs };
    });
  }

  async forget(sender: string, pending: Pick<PendingAcknowledgement, "messageId" | "agent">): Promise<void> {
    await this.redis.zrem(this.keys.acknowledgements(sender), `${pending.messageId}|${pending.agent}`);
  }

  /**
   * Settles an unaccepted handoff as rejected, at its receiver, unless the receiver has begun meanwhile.
   *
   * @returns whether it was taken back.
   */
  async takeBack(
    pending: Pick<PendingAcknowledgement, "messageId" | "agent">,
    settled: { readonly outcome: string; readonly digest: string; readonly entry: OutboxEntry },
  ): Promise<boolean> {
    const reply = await refuseUnaccepted.run(this.redis, {
      keys: [
        this.keys.ledger(pending.agent, pending.messageId),
        this.keys.outbox(pending.agent),
        this.keys.job(pending.agent, pending.agent, pending.messageId),
      ],
      args: [
        settled.outcome,
        settled.digest,
        this.ledgerLifeMs,
        settled.entry.id,
        JSON.stringify(settled.entry),
      ],
    });
    return reply === 1;
  }
}
