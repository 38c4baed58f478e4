import { now } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { toFields } from "../read-fields.ts";
import type { ReadBy } from "../script-reply.ts";
import { isRedisReply } from "../script.ts";
import type { RedisClient } from "../script.ts";
import { editFailed, finishRedrive, forgetRecords, undoEdit } from "../scripts/attached.ts";
import { FailedSet } from "./failed-set.ts";
import type { AttachableQueue, FailedRow } from "./failed-set.ts";

export type HeldReason = Extract<ReadBy<typeof editFailed.declared.reply>, { kind: "held" }>["reason"];

export type Undone = ReadBy<typeof undoEdit.declared.reply>;

/** `parent`: state of its flow's parent. A parent that is `failed` has to be retried after the child. */
export type Sent =
  | { readonly kind: "written"; readonly version: string; readonly parent: "none" | "waiting" | "failed" }
  | { readonly kind: "held"; readonly reason: HeldReason };

/** Entries and keys that are read at once, at most. */
const PAGE_MAX = 100;
/** A redrive that has not finished after this time is taken over, in ms: its process has probably died. */
const TAKEN_OVER_AFTER_MS = 30_000;
/** Redrives that one call takes over, at most. */
const RECOVERED_MAX = 1000;
/** Jobs that are sent back again with their attempts, at most. */
const REDRIVES_MAX_DEFAULT = 3;

/** A retry that comes later than this after its mark asks first whether it is still wanted, in ms. */
const RETRY_WITHIN_MS = TAKEN_OVER_AFTER_MS / 3;

/** An edit of a failed job. */
export interface JobEdit {
  /** Version of the data that was read. */
  readonly version: string;
  /** JSON text to write. Null: it stays as it is. */
  readonly data: string | null;
  /** Name of the person, for the audit. */
  readonly by: string;
  /** The batch that it belongs to, for the audit. Default: none. */
  readonly batch?: string | undefined;
}

/**
 * Reads and edits the failed jobs of a BullMQ queue that runs anyway. Writes to jobs nothing but their data, and only
 * while they are failed; BullMQ's own `retry` moves them. All keys of its own begin with `<queue>:suture-ward:`, in the
 * queue's slot.
 */
export class AttachedQueue extends FailedSet {
  private readonly redrivesMax: number;

  /** @param redrivesMax - Redrives of one job, at most. Default 3. */
  constructor(queue: AttachableQueue, redis: RedisClient, redrivesMax = REDRIVES_MAX_DEFAULT) {
    super(queue, redis);
    this.redrivesMax = redrivesMax;
  }

  /** Writes data to a failed job, and leaves it there. */
  edit(id: string, edit: JobEdit & { readonly data: string }): Promise<Sent> {
    return this.write(id, { ...edit, sends: false }, now());
  }

  /**
   * Sends a failed job back by BullMQ's `retry`, with its attempts reset. A process that dies in between is made up for
   * by `recover`. A job that BullMQ refuses is held as `unreadable`, with what was written to it.
   */
  async redrive(id: string, edit: JobEdit): Promise<Sent> {
    crashPoint("W31:before_mark");
    const markedAtMs = now();
    const sent = await this.write(id, { ...edit, sends: true }, markedAtMs);
    crashPoint("W31:after_mark_before_retry");
    if (sent.kind === "held" || (await this.retry(id, markedAtMs))) return sent;
    return { kind: "held", reason: "unreadable" };
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
    const ids = await this.redis.zrangebyscore(
      this.own("unfinished"),
      "-inf",
      before,
      "LIMIT",
      0,
      RECOVERED_MAX,
    );
    for (const id of ids) {
      const markedAtMs = now();
      if ((await this.finish(id, { nowMs: markedAtMs, claimedBeforeMs: before })) !== "retry") continue;
      if (await this.retry(id, markedAtMs)) retried += 1;
    }
    return retried;
  }

  /** Deletes the records of jobs that are gone, of those looked at longest ago: 100 more than the given number. */
  async forget(count: number): Promise<void> {
    for (let looked = 0; looked <= count; looked += PAGE_MAX)
      await forgetRecords.run(this.redis, {
        records: this.own("job"),
        unfinished: this.own("unfinished"),
        prefix: this.queue.toKey(""),
        count: PAGE_MAX,
        nowMs: now(),
      });
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

  /**
   * Returns the data that a job had before its first edit; null if it was not edited, or that was undone.
   *
   * @param job.timestamp - When the job was added, which tells it from an earlier one of the same id.
   */
  async original({ id, timestamp }: Pick<FailedRow, "id" | "timestamp">): Promise<string | null> {
    const [original = null, born] = await this.redis.hmget(this.own(`job:${id}`), "original", "born");
    return born === (timestamp ?? "") ? original : null;
  }

  /** Yields what was done, oldest first, as written to the audit stream. */
  async *audit(): AsyncGenerator<Readonly<Record<string, string>>> {
    let from = "-";
    for (;;) {
      const entries = await this.redis.xrange(this.own("audit"), from, "+", "COUNT", PAGE_MAX);
      for (const [entry, fields] of entries) {
        yield toFields(fields);
        from = `(${entry}`;
      }
      if (entries.length < PAGE_MAX) return;
    }
  }

  /** Returns what was done last, newest first. */
  async newestAudit(count: number): Promise<readonly Readonly<Record<string, string>>[]> {
    const entries = await this.redis.xrevrange(this.own("audit"), "+", "-", "COUNT", count);
    return entries.map(([, fields]) => toFields(fields));
  }

  /** Keeps a recipe for this queue, as JSON text. @returns False if there are as many as may be. */
  async addRecipe(id: string, text: string, recipesMax: number): Promise<boolean> {
    const key = this.own("recipes");
    const isKnown = (await this.redis.hexists(key, id)) === 1;
    if (!isKnown && (await this.redis.hlen(key)) >= recipesMax) return false;
    await this.redis.hset(key, id, text);
    return true;
  }

  recipes(): Promise<readonly string[]> {
    return this.redis.hvals(this.own("recipes"));
  }

  /** @returns False if there is none of this id. */
  async deleteRecipe(id: string): Promise<boolean> {
    return (await this.redis.hdel(this.own("recipes"), id)) === 1;
  }

  /** Deletes the keys of edits, audit and recipes, finishing redrives first. Jobs stay as they are. */
  async deleteOwnKeys(): Promise<void> {
    await this.recover(0);
    for (;;) {
      const ids = await this.redis.zrange(this.own("job"), "0", String(PAGE_MAX - 1));
      if (ids.length === 0) break;
      await this.redis.unlink(...ids.map((id) => this.own(`job:${id}`)));
      await this.redis.zrem(this.own("job"), ...ids);
    }
    await this.redis.unlink(...["job", "unfinished", "audit", "recipes"].map((name) => this.own(name)));
  }

  private write(id: string, edit: JobEdit & { readonly sends: boolean }, nowMs: number): Promise<Sent> {
    return editFailed.run(this.redis, {
      failed: this.key("failed"),
      job: this.key(id),
      record: this.own(`job:${id}`),
      records: this.own("job"),
      unfinished: this.own("unfinished"),
      audit: this.own("audit"),
      id,
      prefix: this.queue.toKey(""),
      version: edit.version,
      replaces: edit.data !== null,
      newData: edit.data ?? "",
      sends: edit.sends,
      redrivesMax: this.redrivesMax,
      engineMajor: this.queue.engineMajor ?? 0,
      by: edit.by,
      batch: edit.batch ?? "",
      nowMs,
    });
  }

  /** Returns false if BullMQ refuses this job, which then stays failed. */
  private async retry(id: string, markedAtMs: number): Promise<boolean> {
    let isRefused = false;
    try {
      const job = await this.queue.getJob(id);
      // After a long pause another instance may have sent it, and it may wait there for another decision.
      const isLate = now() - markedAtMs > RETRY_WITHIN_MS;
      if (isLate && (await this.finish(id, { nowMs: now(), claimedBeforeMs: markedAtMs })) !== "retry")
        return true;
      await job?.retry("failed", { resetAttemptsMade: true, resetAttemptsStarted: true });
    } catch (error) {
      isRefused = isOfTheJob(error);
      // Another sweeper or an operator was quicker: then it has left the failed set with the data written here.
      if (!isRefused && (await this.redis.zscore(this.key("failed"), id)) !== null) throw error;
    }
    crashPoint("W31:after_retry_before_finish");
    await this.finish(id, { nowMs: now(), claimedBeforeMs: 0, isRefused });
    return !isRefused;
  }

  private finish(
    id: string,
    {
      nowMs,
      claimedBeforeMs,
      isRefused = false,
    }: { readonly nowMs: number; readonly claimedBeforeMs: number; readonly isRefused?: boolean },
  ): Promise<"finished" | "retry" | "claimed"> {
    return finishRedrive.run(this.redis, {
      failed: this.key("failed"),
      job: this.key(id),
      record: this.own(`job:${id}`),
      unfinished: this.own("unfinished"),
      id,
      nowMs,
      claimedBeforeMs,
      isRefused,
    });
  }

  private own(name: string): string {
    return this.queue.toKey(`suture-ward:${name}`);
  }
}

/** Returns true for errors by which BullMQ or its scripts refuse this one job, and false where Redis is away. */
function isOfTheJob(error: unknown): boolean {
  return (
    error instanceof SyntaxError ||
    error instanceof TypeError ||
    (isRedisReply(error) && error instanceof Error && /^(?:WRONGTYPE|ERR) /.test(error.message))
  );
}
