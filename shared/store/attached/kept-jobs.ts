import { now } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import type { RedisClient } from "../script.ts";
import { claimKept, keepJob, settleKept } from "../scripts/attached.ts";
import { deleteRecords } from "./attached-queue.ts";
import type { AttachableQueue } from "./attached-queue.ts";

/** A copy of a job that BullMQ has removed. */
export interface KeptJob {
  /** Name of the copy: when its job was added, and the job's id. */
  readonly uid: string;
  readonly id: string;
  readonly name: string;
  /** The data's JSON text as it was in Redis. */
  readonly data: string;
  /** BullMQ's options as JSON text, in its stored form. */
  readonly opts: string;
  /** The flow's parent as JSON text; empty for none. */
  readonly parent: string;
  readonly reason: string;
  readonly stacktrace: string;
  readonly attempts: number;
  readonly keptAtMs: number;
}

/** Result of sending a kept job back. */
export type KeptSent =
  | { readonly kind: "added"; readonly id: string }
  | {
      readonly kind: "held";
      readonly reason: "gone" | "not_removed" | "outcome_unknown" | "deduplication_in_use";
    };

const PAGE_MAX = 100;
/** Bytes of an error's message or stack that are kept. */
const TEXT_MAX = 16 * 1024;

/** Copies of jobs that BullMQ removes when they fail, beside their queue, in its slot. */
export class KeptJobs {
  private readonly queue: AttachableQueue;
  private readonly redis: RedisClient;

  constructor(queue: AttachableQueue, redis: RedisClient) {
    this.queue = queue;
    this.redis = redis;
  }

  /** Copies a job that is still there. @returns False if it is not: then nothing was kept. */
  keep(
    id: string,
    failure: { readonly reason: string; readonly stacktrace: string; readonly attempts: number },
    keptMax: number,
  ): Promise<boolean> {
    return keepJob.run(this.redis, {
      job: this.queue.toKey(id),
      kept: this.own("kept"),
      id,
      reason: failure.reason.slice(0, TEXT_MAX),
      stacktrace: failure.stacktrace.slice(0, TEXT_MAX),
      attempts: failure.attempts,
      keptMax,
      nowMs: now(),
    });
  }

  /** Deletes the copy of a job that was not removed, and has succeeded. @param addedAtMs - When it was added. */
  async forget(id: string, addedAtMs: number): Promise<void> {
    const uid = `${addedAtMs}-${id}`;
    await this.redis.zrem(this.own("kept"), uid);
    await this.redis.unlink(this.own(`kept:${uid}`));
  }

  /** Yields the copies, oldest first, one page in memory. */
  async *list(): AsyncGenerator<KeptJob> {
    let read: readonly string[] = [];
    let from = "-inf";
    for (;;) {
      const found = await this.redis.zrangebyscore(
        this.own("kept"),
        from,
        "+inf",
        "WITHSCORES",
        "LIMIT",
        0,
        PAGE_MAX + read.length,
      );
      const page = found
        .flatMap((uid, at) => (at % 2 === 0 ? [{ uid, score: found[at + 1] ?? from }] : []))
        .filter(({ uid }) => !read.includes(uid));
      for (const { uid, score } of page) {
        const kept = await this.read(uid, Number(score));
        if (kept !== null) yield kept;
      }
      const last = page.at(-1);
      if (last === undefined) return;
      const tied = page.filter(({ score }) => score === last.score).map(({ uid }) => uid);
      read = last.score === from ? [...read, ...tied] : tied;
      from = last.score;
    }
  }

  /**
   * Adds a kept job to its queue again, at most once unless a person allows more.
   * @param job.id - Derived from the copy's name. @param job.mayRepeat - Also if a process died while adding it.
   */
  async send(
    { uid, id }: Pick<KeptJob, "uid" | "id">,
    job: {
      readonly id: string;
      readonly name: string;
      readonly data: unknown;
      readonly options: object;
      readonly by: string;
      readonly mayRepeat: boolean;
    },
  ): Promise<KeptSent> {
    const claimed = await claimKept.run(this.redis, {
      record: this.own(`kept:${uid}`),
      job: this.queue.toKey(id),
    });
    if (claimed === "gone" || claimed === "not_removed") return { kind: "held", reason: claimed };
    const isThere = (await this.queue.getJob(job.id)) !== undefined;
    if (claimed === "marked" && !isThere && !job.mayRepeat)
      return { kind: "held", reason: "outcome_unknown" };
    crashPoint("W31:before_kept_added");
    // With an id that is in use BullMQ adds nothing and returns the job that is there.
    const added = await this.queue.add(job.name, job.data, { ...job.options, jobId: job.id });
    crashPoint("W31:after_kept_added");
    const isSent = added.id === job.id;
    await settleKept.run(this.redis, {
      record: this.own(`kept:${uid}`),
      kept: this.own("kept"),
      audit: this.own("audit"),
      uid,
      isSent,
      addedId: job.id,
      by: job.by,
      nowMs: now(),
    });
    return isSent ? { kind: "added", id: job.id } : { kind: "held", reason: "deduplication_in_use" };
  }

  /** Deletes all copies. */
  deleteAll(): Promise<void> {
    return deleteRecords(this.redis, this.own("kept"));
  }

  private async read(uid: string, keptAtMs: number): Promise<KeptJob | null> {
    const fields = await this.redis.hgetall(this.own(`kept:${uid}`));
    const {
      id,
      name,
      data = "{}",
      opts = "{}",
      parent = "",
      reason = "",
      stacktrace = "",
      attempts,
    } = fields;
    if (id === undefined || name === undefined) return null;
    return { uid, id, name, data, opts, parent, reason, stacktrace, attempts: Number(attempts), keptAtMs };
  }

  private own(name: string): string {
    return this.queue.toKey(`suture-ward:${name}`);
  }
}
