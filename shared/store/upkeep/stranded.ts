import { queueName } from "../queues/handoff-queues.ts";
import { takeStranded } from "../scripts/upkeep.ts";
import type { Store } from "../store.ts";

/** A job that the engine gave up, or hands out again and again, without our handler having settled it. */
export interface StrandedJob {
  readonly agent: string;
  readonly lane: "fresh" | "retry";
  readonly jobId: string;
  /** The stored data as text, whatever it is. */
  readonly stored: string;
  readonly why: "failed" | "cycling";
}

/** A job started this often without an outcome is going in circles, whatever the engine believes. */
export const STARTS_MAX = 50;

const SCANNED_MAX = 1000;

/**
 * Looks for jobs that reached `failed`, or that are started over and over, on ways that never pass through a handler:
 * a broken stored form, a stall limit, an engine's own refusal.
 */
export async function findStranded(store: Store, agent: string): Promise<StrandedJob[]> {
  const found: StrandedJob[] = [];
  for (const lane of ["fresh", "retry"] as const) {
    const key = (name: string): string => store.keys.job(agent, queueName(agent, lane), name);
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
      // It ended while we looked.
      if (job === null) continue;
      // What the engine cannot read it hands out for ever, and no handler is ever asked.
      if (starts > STARTS_MAX || !isJson(job.stored)) found.push(job);
    }
  }
  return found;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** @returns null when nothing is stored of it any more. */
async function describe(store: Store, job: Omit<StrandedJob, "stored">): Promise<StrandedJob | null> {
  const stored = await store.redis.hget(
    store.keys.job(job.agent, queueName(job.agent, job.lane), job.jobId),
    "data",
  );
  return stored === null ? null : { ...job, stored };
}

/** Forgets a stranded job. Only after its case is in the ward. */
export async function takeOut(store: Store, job: StrandedJob): Promise<void> {
  const queue = queueName(job.agent, job.lane);
  const key = (name: string): string => store.keys.job(job.agent, queue, name);
  await takeStranded.run(store.redis, {
    job: key(job.jobId),
    lock: store.keys.lock(job.agent, queue, job.jobId),
    wait: key("wait"),
    active: key("active"),
    failed: key("failed"),
    delayed: key("delayed"),
    prioritized: key("prioritized"),
    stalled: key("stalled"),
    jobId: job.jobId,
  });
}
