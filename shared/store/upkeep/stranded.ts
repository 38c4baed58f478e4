import { readJson } from "#shared/json";
import { queueName } from "../queues/handoff-queues.ts";
import type { Store } from "../store.ts";

/** A job that BullMQ gave up, or delivers again and again, without our handler having settled it. */
export interface StrandedJob {
  readonly agent: string;
  readonly lane: "fresh" | "retry";
  readonly jobId: string;
  /** The stored data as text, in any form. */
  readonly stored: string;
  readonly why: "failed" | "cycling";
}

/** A job started this often without an outcome is in a loop. */
export const STARTS_MAX = 50;

const SCANNED_MAX = 1000;

/** Finds jobs that failed or stall without reaching a handler: a broken stored form, an error of BullMQ. */
export async function findStranded(store: Store, agent: string): Promise<StrandedJob[]> {
  const found: StrandedJob[] = [];
  for (const lane of ["fresh", "retry"] as const) {
    const key = (name: string): string => store.keys.job(queueName(agent, lane), name);
    const failed = await store.redis.zrange(key("failed"), "0", String(SCANNED_MAX - 1));
    const moving = [
      ...(await store.redis.lrange(key("active"), 0, SCANNED_MAX - 1)),
      ...(await store.redis.lrange(key("wait"), -10, -1)),
    ];
    for (const jobId of failed) {
      const job = await describe(store, { agent, lane, jobId, why: "failed" });
      if (job !== null) found.push(job);
    }
    for (const jobId of moving) {
      const starts = Number((await store.redis.hget(key(jobId), "ats")) ?? 0);
      if (starts <= 1) continue;
      const job = await describe(store, { agent, lane, jobId, why: "cycling" });
      // The job ended meanwhile.
      if (job === null) continue;
      // BullMQ delivers an unreadable job for ever, without calling a handler.
      if (starts > STARTS_MAX || readJson(job.stored) === undefined) found.push(job);
    }
  }
  return found;
}

/** @returns Null if nothing of it is stored any more. */
async function describe(store: Store, job: Omit<StrandedJob, "stored">): Promise<StrandedJob | null> {
  const stored = await store.redis.hget(store.keys.job(queueName(job.agent, job.lane), job.jobId), "data");
  return stored === null ? null : { ...job, stored };
}

/** Removes a stranded job by raw keys: BullMQ reads none whose JSON is broken. Call it once its case is in the ward. */
export async function takeOut({ redis, keys }: Store, job: StrandedJob): Promise<void> {
  const queue = queueName(job.agent, job.lane);
  const { jobId } = job;
  const key = (name: string): string => keys.job(queue, name);
  const taken = redis.multi();
  for (const list of ["wait", "active"]) taken.lrem(key(list), 0, jobId);
  for (const set of ["failed", "delayed", "prioritized"]) taken.zrem(key(set), jobId);
  await taken.srem(key("stalled"), jobId).del(key(jobId), keys.lock(queue, jobId)).exec();
}
