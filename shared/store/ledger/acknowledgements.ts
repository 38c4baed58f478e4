import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { touchedBy } from "../scripts/effects.ts";
import { refuseUnaccepted } from "../scripts/ledger.ts";
import type { Decision, Effects, PendingAcknowledgement } from "../settlement/settlement.ts";
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

  /** Returns up to 100 overdue handoffs, oldest first. */
  async due(sender: string, nowMs: number): Promise<PendingAcknowledgement[]> {
    const key = this.keys.acknowledgements(sender);
    const flat = await this.redis.zrangebyscore(
      key,
      "-inf",
      nowMs,
      "WITHSCORES",
      "LIMIT",
      0,
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
    settled: { readonly outcome: string; readonly digest: string; readonly effects: Effects },
  ): Decision<boolean> {
    const { agent, messageId } = pending;
    const { outcome, digest, effects } = settled;
    return {
      effects,
      write: (call) =>
        refuseUnaccepted.run(this.redis, {
          touches: touchedBy(call),
          ledger: this.keys.ledger(agent, messageId),
          job: this.keys.job(agent, messageId),
          outcome,
          digest,
          lifeMs: this.ledgerLifeMs,
          nowMs: now(),
          ...call,
        }),
    };
  }
}
