import { z } from "zod";
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

/** A webhook receiver as it is shown: nothing of its address but the host, and no secret. */
export const noticeReceiverSchema = z.object({
  receiver: z.string(),
  host: z.string(),
  events: z.array(z.string()).nullable().meta({ description: "Event types that it gets; null: all." }),
  format: z.string(),
});

type ShownReceiver = Readonly<z.output<typeof noticeReceiverSchema>>;

/** One try to deliver a notice. */
export const deliverySchema = z.object({
  id: z.string(),
  type: z.string(),
  at_ms: z.number(),
  attempts: z.int(),
  outcome: z.enum(["taken", "will_be_sent_again", "given_up"]),
  error: z.string().nullable(),
});

export type Delivery = Readonly<z.output<typeof deliverySchema>>;

/** Type of the event by which a person tests a receiver. It is tried once. */
export const TEST_NOTICE = "webhook.test";

/** Deliveries that are kept, and waiting notices that are shown, of each receiver. */
const DELIVERIES_MAX = 50;
const WAITING_SHOWN = 20;
/** Receivers are shown for this time after a surgeon said that it has them, in ms. */
const SHOWN_MS = 120_000;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOTICES_MAX = 1000;
const SPREAD_AT_ONCE = 100;
/** Deduplication window of notices, in ms. */
const MARK_LIFE_MS = 3 * DAY_MS;
/** Time to live of an unused receiver queue, in ms. */
const QUEUE_LIFE_MS = 7 * DAY_MS;

const waitingSchema = z.object({ type: z.string(), attempts: z.number() });

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
    const spread = await spreadNotices.run(this.redis, {
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
    if (spread.dropped > 0) await this.redis.incrby(this.keys.ward("notices:dropped"), spread.dropped);
    return spread;
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

  /** Says which receivers there are, for those who hold no secret of them. */
  async show(receivers: readonly ShownReceiver[]): Promise<void> {
    await this.redis.set(this.keys.ward("notices:receivers"), JSON.stringify(receivers), "PX", SHOWN_MS);
  }

  /** Notes one try, the newest first. */
  async note(receiver: string, delivery: Delivery): Promise<void> {
    const key = this.keys.ward(`notices:tried:${receiver}`);
    await this.redis
      .multi()
      .lpush(key, JSON.stringify(delivery))
      .ltrim(key, 0, DELIVERIES_MAX - 1)
      .pexpire(key, QUEUE_LIFE_MS)
      .exec();
  }

  /** Returns the receivers that a surgeon has. */
  async shown(): Promise<readonly ShownReceiver[]> {
    const text = await this.redis.get(this.keys.ward("notices:receivers"));
    return z
      .array(noticeReceiverSchema)
      .catch([])
      .parse(readJson(text ?? ""));
  }

  /** Returns how many notices were dropped because a queue was full. */
  async dropped(): Promise<number> {
    return Number((await this.redis.get(this.keys.ward("notices:dropped"))) ?? 0);
  }

  /** Returns the last tries of a receiver, the newest first. */
  async deliveries(receiver: string): Promise<Delivery[]> {
    const texts = await this.redis.lrange(this.keys.ward(`notices:tried:${receiver}`), 0, -1);
    return texts.flatMap((text) => deliverySchema.safeParse(readJson(text)).data ?? []);
  }

  /** Returns the first notices that wait for a receiver, with the time of their next try. */
  async next(receiver: string): Promise<{ id: string; type: string; attempts: number; due_ms: number }[]> {
    const [due, held] = this.queueOf(receiver);
    const places = await this.redis.zrange(due, "0", String(WAITING_SHOWN - 1), "WITHSCORES");
    const ids = places.filter((_, at) => at % 2 === 0);
    const texts = ids.length === 0 ? [] : await this.redis.hmget(held, ...ids);
    return ids.map((id, at) => {
      const { data } = waitingSchema.safeParse(readJson(texts[at] ?? ""));
      return { id, ...(data ?? { type: "", attempts: 0 }), due_ms: Number(places[2 * at + 1]) };
    });
  }

  /** Orders a test of a receiver. Only the console does. */
  async orderTest(id: string, receiver: string): Promise<void> {
    await this.redis.hset(this.keys.people("webhook-tests"), id, receiver);
  }

  async takeBackTest(id: string): Promise<void> {
    await this.redis.hdel(this.keys.people("webhook-tests"), id);
  }

  /** Queues the tests that people ordered, each once, before all else. @param receivers - Those of this process. */
  async queueTests(receivers: readonly string[]): Promise<void> {
    const orders = Object.entries(await this.redis.hgetall(this.keys.people("webhook-tests")));
    for (const [id, receiver] of orders.filter(([, to]) => receivers.includes(to))) {
      const mark = this.keys.ward(`notices:tested:${id}`);
      if ((await this.redis.set(mark, "1", "PX", DAY_MS, "NX")) === null) continue;
      const [due, held] = this.queueOf(receiver);
      const notice = { type: TEST_NOTICE, at: timestamp(), data: JSON.stringify({ test: id }), attempts: 0 };
      await this.redis.multi().hset(held, id, JSON.stringify(notice)).zadd(due, 0, id).exec();
    }
  }

  /** Returns the number of notices queued for a receiver. */
  async waiting(receiver: string): Promise<number> {
    return this.redis.zcard(this.queueOf(receiver)[0]);
  }

  private queueOf(receiver: string): [due: string, held: string] {
    return [this.keys.ward(`notices:due:${receiver}`), this.keys.ward(`notices:for:${receiver}`)];
  }
}
