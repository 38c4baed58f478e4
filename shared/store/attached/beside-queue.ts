import type { RedisClient } from "../script.ts";

/** What is used of a BullMQ queue. Its `Queue` of bullmq 5 and 6 satisfies this. */
export interface AttachableQueue {
  readonly name: string;
  /** Major release of the BullMQ that this is, where the queue's workers may have another one. Default: the same. */
  readonly engineMajor?: number;
  toKey(type: string): string;
  getJob(id: string): Promise<RetryableJob | undefined>;
  getJobState(id: string): Promise<string>;
  add(name: string, data: unknown, options: object): Promise<{ readonly id?: string | undefined }>;
}

interface RetryableJob {
  retry(
    state?: "failed",
    options?: { readonly resetAttemptsMade?: boolean; readonly resetAttemptsStarted?: boolean },
  ): Promise<void>;
}

/** Names that are deleted at once. */
const PAGE_MAX = 100;

/** Keys of a BullMQ queue that runs anyway, and of the ward beside it, in the queue's slot. */
export class BesideQueue {
  protected readonly queue: AttachableQueue;
  protected readonly redis: RedisClient;

  constructor(queue: AttachableQueue, redis: RedisClient) {
    this.queue = queue;
    this.redis = redis;
  }

  /** The queue's key of a type, or of a job. */
  protected key(type: string): string {
    return this.queue.toKey(type);
  }

  /** A key of the ward. */
  protected own(name: string): string {
    return this.queue.toKey(`suture-ward:${name}`);
  }

  /** Deletes the records whose names a sorted set of the ward holds. */
  protected async deleteRecords(set: string): Promise<void> {
    for (;;) {
      const names = await this.redis.zrange(this.own(set), "0", String(PAGE_MAX - 1));
      if (names.length === 0) return;
      await this.redis.unlink(...names.map((name) => this.own(`${set}:${name}`)));
      await this.redis.zrem(this.own(set), ...names);
    }
  }
}
