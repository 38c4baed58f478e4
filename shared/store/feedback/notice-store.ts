import { now, timestamp } from "#shared/clock";
import { readJson } from "#shared/json";
import { isObjectWith } from "../read-fields.ts";
import { addNotice, spreadNotices } from "../scripts/feedback.ts";
import { takeDue } from "../scripts/runs.ts";
import { StorePart } from "../store-part.ts";

/** A notice (webhook event) queued for one receiver. */
export interface Notice {
  /** Event id, the same for every receiver and attempt; receivers use it for deduplication. */
  readonly id: string;
  readonly type: string;
  /** RFC 3339, UTC. */
  readonly at: string;
  /** JSON text. */
  readonly data: string;
  /** Failed delivery attempts so far. */
  readonly attempts: number;
}

/** Queue settings of one webhook receiver. */
export interface NoticeReceiver {
  /** Part of a key: letters and digits. */
  readonly id: string;
  /** Event types it subscribes to; null: all. */
  readonly types: readonly string[] | null;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOTICES_MAX = 1000;
const SPREAD_AT_ONCE = 100;
/** Deduplication window of notices, in ms. */
const MARK_LIFE_MS = 3 * DAY_MS;
/** Time to live of an unused receiver queue, in ms. */
const QUEUE_LIFE_MS = 7 * DAY_MS;

/** Notices for webhooks: one bounded list, and a bounded queue for each receiver. */
export class NoticeStore extends StorePart {
  /** Adds a notice. @param notice.mark - Idempotency key. @returns True if it is new. */
  async add(notice: {
    readonly mark: string;
    readonly type: string;
    readonly data: object;
  }): Promise<boolean> {
    return addNotice.run(this.redis, {
      notices: this.keys.notices(),
      mark: this.keys.feedback(`notices:told:${notice.mark}`),
      markLifeMs: MARK_LIFE_MS,
      noticesMax: NOTICES_MAX,
      noticeType: notice.type,
      nowText: timestamp(),
      data: JSON.stringify(notice.data),
    });
  }

  /** Copies new notices to all receivers' queues; a new one gets the last hour's. @param request.queueMax - Of each. */
  async spread(request: {
    readonly receivers: readonly NoticeReceiver[];
    readonly queueMax: number;
  }): Promise<{ readonly read: number; readonly dropped: number }> {
    const receivers = request.receivers.map(({ id, types }) => {
      const [due, held] = this.queueOf(id);
      return { due, held, types: types === null ? null : `,${types.join(",")},` };
    });
    return spreadNotices.run(this.redis, {
      notices: this.keys.notices(),
      spreadUpTo: this.keys.ward("notices:spread"),
      touches: receivers.flatMap(({ due, held }) => [due, held]),
      nowMs: now(),
      atOnce: SPREAD_AT_ONCE,
      queueMax: request.queueMax,
      queueLifeMs: QUEUE_LIFE_MS,
      beginsAt: `${now() - HOUR_MS}-0`,
      receivers,
    });
  }

  /** Leases the next due notice for `leaseMs`; null if there is none. */
  async take(receiver: string, leaseMs: number): Promise<Notice | null> {
    const [due, held] = this.queueOf(receiver);
    const [id] = await takeDue.run(this.redis, { due, nowMs: now(), leaseMs, limit: 1 });
    if (id === undefined) return null;
    const notice = readJson((await this.redis.hget(held, id)) ?? "");
    if (!isObjectWith(notice, "type")) {
      // A notice that cannot be read would stay due for ever, before all others.
      await this.forget(receiver, id);
      return null;
    }
    // Written by `spread-notices.lua` or by `postpone`.
    return { ...(notice as Omit<Notice, "id">), id };
  }

  /** Deletes a notice that was delivered or given up. */
  async forget(receiver: string, id: string): Promise<void> {
    const [due, held] = this.queueOf(receiver);
    await this.redis.multi().hdel(held, id).zrem(due, id).exec();
  }

  /** Schedules the next attempt of a failed delivery. */
  async postpone(receiver: string, { id, ...notice }: Notice, delayMs: number): Promise<void> {
    const [due, held] = this.queueOf(receiver);
    const again = { ...notice, attempts: notice.attempts + 1 };
    await this.redis
      .multi()
      .hset(held, id, JSON.stringify(again))
      .zadd(due, now() + delayMs, id)
      .exec();
  }

  /** Returns the number of notices queued for a receiver. */
  async waiting(receiver: string): Promise<number> {
    return this.redis.zcard(this.queueOf(receiver)[0]);
  }

  private queueOf(receiver: string): [due: string, held: string] {
    return [this.keys.ward(`notices:due:${receiver}`), this.keys.ward(`notices:for:${receiver}`)];
  }
}
