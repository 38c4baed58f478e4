import type { ReadBy } from "../script-reply.ts";
import { readFailed } from "../scripts/attached.ts";
import type { RedisClient } from "../script.ts";

/** The part of a BullMQ queue that is used. Its `Queue` of bullmq 5 and 6 satisfies this. */
export interface AttachableQueue {
  readonly name: string;
  /** Major release of the BullMQ that this is, where the queue's workers may have another one. Default: the same. */
  readonly engineMajor?: number;
  toKey(type: string): string;
  getJob(id: string): Promise<RetryableJob | undefined>;
  getJobState(id: string): Promise<string>;
}

interface RetryableJob {
  retry(
    state?: "failed",
    options?: { readonly resetAttemptsMade?: boolean; readonly resetAttemptsStarted?: boolean },
  ): Promise<void>;
}

/** One failed job as it is in Redis. `data` is null if there is none or it is larger than 512 KiB. */
export type FailedRow = ReadBy<typeof readFailed.declared.reply>[number];

/** Failed jobs that are read at once, at most: Redis does nothing else while it reads a page. */
const JOBS_MAX = 25;
/** Jobs of one score whose ids are remembered, so that reading goes on behind them when some have left the set. */
const TIED_MAX = 200;

/** Place at which a reading of the failed set goes on: behind the jobs with these ids, which have this score. */
interface Cursor {
  readonly score: string | null;
  readonly idsHex: readonly string[];
}

const START: Cursor = { score: null, idsHex: [] };

/** Times that a `Date` holds, in ms: a score is any number, infinite ones included. */
const TIME_MS_MAX = 8.64e15;

/** Returns the time of a failure by its score in the failed set, within what a `Date` holds. */
export function toFailedAtMs(score: string): number {
  const value = score.endsWith("inf") ? Number(score.replace("inf", "Infinity")) : Number(score);
  return Math.max(-TIME_MS_MAX, Math.min(TIME_MS_MAX, value));
}

/** A failed job by its place in the failed set, behind which a reading can go on. */
export interface FailedPlace {
  readonly id: string;
  readonly failedAtMs: number;
}

/** Jobs of a queue by state. `waiting` includes paused and prioritized ones. */
export interface JobCounts {
  readonly failed: number;
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
}

/** Reads the failed jobs of a BullMQ queue. Writes nothing. */
export class FailedSet {
  protected readonly queue: AttachableQueue;
  protected readonly redis: RedisClient;

  constructor(queue: AttachableQueue, redis: RedisClient) {
    this.queue = queue;
    this.redis = redis;
  }

  /** Yields the failed jobs `after` one, oldest first, 25 or 256 KiB a page; later ones wait for the next reading. */
  async *pages(after: FailedPlace | null = null): AsyncGenerator<readonly FailedRow[]> {
    const [, toScore] = await this.redis.zrange(this.key("failed"), "-1", "-1", "WITHSCORES");
    if (toScore === undefined) return;
    yield* this.read(after === null ? START : await this.behind(after), toScore);
  }

  /** Returns one failed job; null if it is not failed. */
  async find(id: string): Promise<FailedRow | null> {
    const score = await this.redis.zscore(this.key("failed"), id);
    if (score === null) return null;
    for await (const page of this.read({ score, idsHex: [] }, score)) {
      const row = page.find((one) => one.id === id);
      if (row !== undefined) return row;
    }
    return null;
  }

  async counts(): Promise<JobCounts> {
    const [failed, delayed, prioritized, wait, paused, active] = await Promise.all([
      ...["failed", "delayed", "prioritized"].map((type) => this.redis.zcard(this.key(type))),
      ...["wait", "paused", "active"].map((type) => this.redis.llen(this.key(type))),
    ]);
    const waiting = (wait ?? 0) + (paused ?? 0) + (prioritized ?? 0);
    return { failed: failed ?? 0, waiting, active: active ?? 0, delayed: delayed ?? 0 };
  }

  private async behind({ id, failedAtMs }: FailedPlace): Promise<Cursor> {
    const score = await this.redis.zscore(this.key("failed"), id);
    const isThere = score !== null && toFailedAtMs(score) === failedAtMs;
    return { score: isThere ? score : String(failedAtMs), idsHex: [Buffer.from(id).toString("hex")] };
  }

  private async *read(from: Cursor, toScore: string): AsyncGenerator<readonly FailedRow[]> {
    let cursor = from;
    for (;;) {
      const page: readonly FailedRow[] = await readFailed.run(this.redis, {
        failed: this.key("failed"),
        prefix: this.key(""),
        fromScore: cursor.score,
        toScore,
        count: JOBS_MAX,
        after: cursor.idsHex,
      });
      const last = page.at(-1);
      if (last === undefined) return;
      const tied = page.filter(({ score }) => score === last.score).map(({ idHex }) => idHex);
      const before = last.score === cursor.score ? cursor.idsHex : [];
      cursor = { score: last.score, idsHex: [...before, ...tied].slice(-TIED_MAX) };
      yield page;
    }
  }
  /** The queue's key of a type, or of a job. */
  protected key(type: string): string {
    return this.queue.toKey(type);
  }
}
