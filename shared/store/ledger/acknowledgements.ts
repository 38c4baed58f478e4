import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { touchedBy } from "../scripts/effects.ts";
import { refuseUnaccepted } from "../scripts/ledger.ts";
import type { Decision, OutboxEntry, PendingAcknowledgement } from "../settlement/settlement.ts";
import type { RedisClient } from "../script.ts";

const DUE_AT_ONCE_MAX = 100;

/** Handoffs that await the acknowledgement of their receiver, by sender. */
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

  /** Returns up to 100 overdue handoffs, oldest first. @param page.offset - Number of the oldest to skip. */
  async due(
    sender: string,
    page: { readonly nowMs: number; readonly offset: number },
  ): Promise<PendingAcknowledgement[]> {
    const key = this.keys.acknowledgements(sender);
    const { nowMs, offset } = page;
    const flat = await this.redis.zrangebyscore(
      key,
      "-inf",
      nowMs,
      "WITHSCORES",
      "LIMIT",
      offset,
      DUE_AT_ONCE_MAX,
    );
    return Array.from({ length: flat.length / 2 }, (_, i) => {
      const [messageId = "", agent = ""] = (flat[2 * i] ?? "").split("|");
      return { messageId, agent, dueMs: Number(flat[2 * i + 1]) };
    });
  }

  async forget(
    sender: string,
    pending: readonly Pick<PendingAcknowledgement, "messageId" | "agent">[],
  ): Promise<void> {
    const members = pending.map(({ messageId, agent }) => `${messageId}|${agent}`);
    if (members.length > 0) await this.redis.zrem(this.keys.acknowledgements(sender), ...members);
  }

  /**
   * Takes back an unaccepted handoff: settles it as rejected at its receiver, unless the receiver has started it.
   *
   * @returns A decision that writes whether it was taken back.
   */
  decideTakeBack(
    pending: Pick<PendingAcknowledgement, "messageId" | "agent">,
    settled: { readonly outcome: string; readonly digest: string; readonly entry: OutboxEntry },
  ): Decision<boolean> {
    const { agent, messageId } = pending;
    const { outcome, digest, entry } = settled;
    return {
      slot: agent,
      entry,
      together: (effects) =>
        refuseUnaccepted.run(this.redis, {
          touches: touchedBy(effects),
          ledger: this.keys.ledger(agent, messageId),
          job: this.keys.job(agent, messageId),
          outcome,
          digest,
          lifeMs: this.ledgerLifeMs,
          nowMs: now(),
          ...effects,
        }),
      stands: (isTakenBack) => isTakenBack,
    };
  }
}
