import { now } from "#shared/clock";
import { crashPoint } from "#shared/crash-points";
import { claimKept, keepJob, settleKept } from "../scripts/attached.ts";
import { BesideQueue } from "./beside-queue.ts";

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

/** Bytes of an error's message or stack that are kept. */
const TEXT_MAX = 16 * 1024;

/** Copies of jobs that BullMQ removes when they fail, beside their queue, in its slot. */
export class KeptJobs extends BesideQueue {
  /** Copies a job that is still there. @returns False if it is not: then nothing was kept. */
  keep(
    id: string,
    failure: { readonly reason: string; readonly stacktrace: string; readonly attempts: number },
    keptMax: number,
  ): Promise<boolean> {
    return keepJob.run(this.redis, {
      job: this.key(id),
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

  /** Yields the copies that there are now, oldest first, one in memory. */
  async *list(): AsyncGenerator<KeptJob> {
    for (const uid of await this.redis.zrange(this.own("kept"), "0", "-1")) {
      const kept = await this.read(uid);
      if (kept !== null) yield kept;
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
      job: this.key(id),
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
    return this.deleteRecords("kept");
  }

  private async read(uid: string): Promise<KeptJob | null> {
    const [fields, keptAtMs] = await Promise.all([
      this.redis.hgetall(this.own(`kept:${uid}`)),
      this.redis.zscore(this.own("kept"), uid),
    ]);
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
    const times = { attempts: Number(attempts), keptAtMs: Number(keptAtMs) };
    return { uid, id, name, data, opts, parent, reason, stacktrace, ...times };
  }
}
