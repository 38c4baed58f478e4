import { now } from "#shared/clock";
import type { ReadBy } from "../script-reply.ts";
import type { RedisClient } from "../script.ts";
import { editFailed, finishRedrive, readFailed, undoEdit } from "../scripts/attached.ts";

/** What is used of a BullMQ queue. Its `Queue` of bullmq 5 and 6 satisfies this. */
export interface AttachableQueue {
  readonly name: string;
  toKey(type: string): string;
  getJob(id: string): Promise<RetryableJob | undefined>;
}

interface RetryableJob {
  retry(
    state?: "failed",
    options?: { readonly resetAttemptsMade?: boolean; readonly resetAttemptsStarted?: boolean },
  ): Promise<void>;
}

/** One failed job as it is in Redis. `data` is null if there is none or it is larger than 512 KiB. */
export type FailedRow = ReadBy<typeof readFailed.declared.reply>[number];

export type HeldReason = Extract<ReadBy<typeof editFailed.declared.reply>, { kind: "held" }>["reason"];

export type Undone = ReadBy<typeof undoEdit.declared.reply>;

/** `parent`: state of its flow's parent. A parent that is `failed` has to be retried after the child. */
export type Sent =
  | { readonly kind: "written"; readonly version: string; readonly parent: "none" | "waiting" | "failed" }
  | { readonly kind: "held"; readonly reason: HeldReason };

/** Jobs that are read at once, at most. */
const PAGE_MAX = 100;
/** A redrive that has not finished after this time is taken over, in ms: its process has probably died. */
const TAKEN_OVER_AFTER_MS = 30_000;
/** Jobs that are sent back again with their attempts, at most. */
const REDRIVES_MAX_DEFAULT = 3;

/** Where a reading of the failed set goes on: after `seen` jobs of this score. */
interface Cursor {
  readonly score: string;
  readonly seen: number;
}

/**
 * Reads and edits the failed jobs of a BullMQ queue that runs anyway. Writes to jobs nothing but their data, and only
 * while they are failed; BullMQ's own `retry` moves them. All keys of its own begin with `<queue>:suture-ward:`, in the
 * queue's slot.
 */
export class AttachedQueue {
  readonly name: string;
  private readonly queue: AttachableQueue;
  private readonly redis: RedisClient;
  private readonly redrivesMax: number;

  /** @param options.redrivesMax - Redrives of one job, at most. Default 3. */
  constructor(queue: AttachableQueue, redis: RedisClient, options: { readonly redrivesMax?: number } = {}) {
    this.name = queue.name;
    this.queue = queue;
    this.redis = redis;
    this.redrivesMax = options.redrivesMax ?? REDRIVES_MAX_DEFAULT;
  }

  /**
   * Yields the failed jobs, oldest failure first, in pages of at most 100 jobs or about 512 KiB. Jobs that fail after
   * the start are left to the next reading.
   */
  async *pages(): AsyncGenerator<readonly FailedRow[]> {
    const [, toScore] = await this.redis.zrange(this.key("failed"), "-1", "-1", "WITHSCORES");
    if (toScore === undefined) return;
    let cursor: Cursor = { score: "-inf", seen: 0 };
    for (;;) {
      const page: readonly FailedRow[] = await readFailed.run(this.redis, {
        failed: this.key("failed"),
        prefix: this.queue.toKey(""),
        fromScore: cursor.score,
        toScore,
        skip: cursor.seen,
        count: PAGE_MAX,
      });
      const last = page.at(-1);
      if (last === undefined) return;
      const tied = page.filter(({ score }) => score === last.score).length;
      cursor = { score: last.score, seen: last.score === cursor.score ? cursor.seen + tied : tied };
      yield page;
    }
  }

  /** Writes data to a failed job, and leaves it there. @param edit.version - Of the data that was read. */
  edit(
    id: string,
    edit: { readonly version: string; readonly data: string; readonly by: string },
  ): Promise<Sent> {
    return this.write(id, { ...edit, sends: false });
  }

  /**
   * Sends a failed job back by BullMQ's `retry`, with its attempts reset. A process that dies in between is made up for
   * by `recover`.
   *
   * @param edit.data - JSON text to write to it first. Null: as it is.
   */
  async redrive(
    id: string,
    edit: { readonly version: string; readonly data: string | null; readonly by: string },
  ): Promise<Sent> {
    const sent = await this.write(id, { ...edit, sends: true });
    if (sent.kind === "written") await this.retry(id);
    return sent;
  }

  /**
   * Finishes redrives whose process has died between its write and BullMQ's `retry`.
   *
   * @param afterMs - Age from which one is taken over. Default 30,000.
   * @returns How many jobs were retried.
   */
  async recover(afterMs = TAKEN_OVER_AFTER_MS): Promise<number> {
    let retried = 0;
    const before = now() - afterMs;
    const ids = await this.redis.zrangebyscore(this.own("unfinished"), "-inf", before);
    for (const id of ids) {
      if ((await this.finish(id, before)) !== "retry") continue;
      await this.retry(id);
      retried += 1;
    }
    return retried;
  }

  /** Writes back the original data of a job that is failed and has the data last written by `edit` or `redrive`. */
  undo(id: string, by: string): Promise<Undone> {
    return undoEdit.run(this.redis, {
      failed: this.key("failed"),
      job: this.key(id),
      record: this.own(`job:${id}`),
      audit: this.own("audit"),
      id,
      by,
      nowMs: now(),
    });
  }

  /** Returns the data that a job had before its first edit; null if it was not edited, or that was undone. */
  original(id: string): Promise<string | null> {
    return this.redis.hget(this.own(`job:${id}`), "original");
  }

  /** Yields what was done, oldest first, as written to the audit stream. */
  async *audit(): AsyncGenerator<Readonly<Record<string, string>>> {
    let from = "-";
    for (;;) {
      const entries = await this.redis.xrange(this.own("audit"), from, "+", "COUNT", PAGE_MAX);
      for (const [entry, fields] of entries) {
        yield Object.fromEntries(
          fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1] ?? ""]] : [])),
        );
        from = `(${entry}`;
      }
      if (entries.length < PAGE_MAX) return;
    }
  }

  /** Keeps the description of a job that BullMQ is about to remove. At most about `keptMax` are kept, the newest. */
  async keep(description: string, keptMax: number): Promise<void> {
    await this.redis.xadd(this.own("kept"), "MAXLEN", "~", keptMax, "*", "job", description);
  }

  /** Yields the kept descriptions, oldest first. */
  async *kept(): AsyncGenerator<string> {
    let from = "-";
    for (;;) {
      const entries = await this.redis.xrange(this.own("kept"), from, "+", "COUNT", PAGE_MAX);
      for (const [entry, fields] of entries) {
        yield fields[1] ?? "";
        from = `(${entry}`;
      }
      if (entries.length < PAGE_MAX) return;
    }
  }

  /** Deletes every key of the ward, finishing redrives first. Jobs stay as they are. */
  async deleteOwnKeys(): Promise<void> {
    await this.recover(0);
    for (;;) {
      const ids = await this.redis.zrange(this.own("records"), "0", String(PAGE_MAX - 1));
      if (ids.length === 0) break;
      await this.redis.unlink(...ids.map((id) => this.own(`job:${id}`)));
      await this.redis.zrem(this.own("records"), ...ids);
    }
    await this.redis.unlink(...["records", "unfinished", "audit", "kept"].map((name) => this.own(name)));
  }

  private write(
    id: string,
    edit: {
      readonly version: string;
      readonly data: string | null;
      readonly by: string;
      readonly sends: boolean;
    },
  ): Promise<Sent> {
    return editFailed.run(this.redis, {
      failed: this.key("failed"),
      job: this.key(id),
      record: this.own(`job:${id}`),
      records: this.own("records"),
      unfinished: this.own("unfinished"),
      audit: this.own("audit"),
      id,
      prefix: this.queue.toKey(""),
      version: edit.version,
      replaces: edit.data !== null,
      newData: edit.data ?? "",
      sends: edit.sends,
      redrivesMax: this.redrivesMax,
      by: edit.by,
      nowMs: now(),
    });
  }

  private async retry(id: string): Promise<void> {
    try {
      const job = await this.queue.getJob(id);
      await job?.retry("failed", { resetAttemptsMade: true, resetAttemptsStarted: true });
    } catch (error) {
      // Another sweeper or an operator was quicker: then it has left the failed set with the data written here.
      if ((await this.redis.zscore(this.key("failed"), id)) !== null) throw error;
    }
    await this.finish(id, 0);
  }

  private finish(id: string, claimedBeforeMs: number): Promise<"finished" | "retry" | "claimed"> {
    return finishRedrive.run(this.redis, {
      failed: this.key("failed"),
      job: this.key(id),
      record: this.own(`job:${id}`),
      unfinished: this.own("unfinished"),
      id,
      nowMs: now(),
      claimedBeforeMs,
    });
  }

  private key(type: string): string {
    return this.queue.toKey(type);
  }

  private own(name: string): string {
    return this.queue.toKey(`suture-ward:${name}`);
  }
}
