import { Queue } from "bullmq";
import type { JobsOptions } from "bullmq";
import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { retryQueueOf, WARD_QUEUE } from "../keys.ts";
import { isRedisReply } from "../script.ts";
import { describeDamage, findQueueDamage } from "./find-damage.ts";
import type { QueueDamage } from "./find-damage.ts";
import { toStoredText } from "./job-data.ts";
import type { JobData } from "./job-data.ts";
import type { RedisClient } from "../script.ts";
import { addDelayed, addJob } from "../scripts/queues.ts";

/** A sealed message (or a case) in one queue. `jobId` is derived, never random: adding twice is adding once. */
export interface Job {
  /** `fresh` and `retry` are the two queues of an agent; `ward` is the surgeon's. */
  readonly lane: "fresh" | "retry" | "ward";
  readonly agent: string;
  readonly jobId: string;
  readonly data: JobData;
  readonly delayMs: number;
  readonly priority: "high" | "normal" | "low";
}

/** A job for now and without a priority, as `add-plain.lua` takes it. */
export interface PlainJob {
  /** Of the queue's keys. */
  readonly base: string;
  readonly jobId: string;
  /** JSON text. */
  readonly data: string;
  /** Before those that wait. */
  readonly atHead: boolean;
}

export interface RetentionOptions {
  /** How long finished jobs stay readable, in seconds. Far above the ledger's life. Default 48 hours. */
  readonly finishedAgeSeconds: number;
  /** Finished jobs kept for each queue at most. Default 20,000. */
  readonly finishedCount: number;
  /** Entries of a queue's event stream, about. For eyes only; nothing depends on it. Default 1,000. */
  readonly eventStreamLength: number;
}

export const RETENTION_DEFAULT: RetentionOptions = {
  finishedAgeSeconds: 48 * 3600,
  finishedCount: 20_000,
  eventStreamLength: 1000,
};

/** How many jobs one queue holds. */
export interface QueueDepth {
  readonly waiting: number;
  readonly active: number;
  readonly delayed: number;
  readonly failed: number;
  readonly is_paused: boolean;
  /** Which keys of the queue are damaged, in words; null for a sound one. */
  readonly damage: string | null;
}

/** BullMQ runs jobs without a priority before all prioritised ones, which is what `low` needs. */
const LOW_PRIORITY = 10;

/** The largest stored form: 1 MiB of envelope as base64 of gzip with its seal stays below this. */
const JOB_BYTES_MAX = 2 * 1024 * 1024;

/** Larger ones go through the engine, which measures them. */
const PLAIN_CHARS_MAX = JOB_BYTES_MAX / 4;

/** The engine's options of a job that our own script adds, in its stored form. */
export const PLAIN_OPTIONS = JSON.stringify({ attempts: 1, stackTraceLimit: 1 });

/** The queues of all agents, opened when first used. Adds are idempotent by job id. */
export class HandoffQueues {
  private readonly redis: RedisClient;
  private readonly keys: Keys;
  readonly retention: RetentionOptions;
  private readonly open = new Map<string, Queue>();

  constructor(redis: RedisClient, keys: Keys, retention: RetentionOptions = RETENTION_DEFAULT) {
    this.redis = redis;
    this.keys = keys;
    this.retention = retention;
  }

  /** Counts the jobs of one queue. A damaged queue counts nothing and says what is damaged. */
  async depth(agent: string, lane: Job["lane"]): Promise<QueueDepth> {
    const queue = this.of(agent, lane);
    try {
      const [counts, is_paused] = await Promise.all([
        queue.getJobCounts("waiting", "prioritized", "active", "delayed", "failed"),
        queue.isPaused(),
      ]);
      const of = (state: string): number => counts[state] ?? 0;
      const waiting = of("waiting") + of("prioritized");
      const rest = { active: of("active"), delayed: of("delayed"), failed: of("failed") };
      return { waiting, ...rest, is_paused, damage: null };
    } catch (error) {
      const name = queueName(agent, lane);
      const found = isRedisReply(error) ? await this.findDamage(agent) : [];
      const own = found.filter((one) => one.queue === name);
      if (own.length === 0) throw error;
      const damage = own.map(describeDamage).join("; ");
      return { waiting: 0, active: 0, delayed: 0, failed: 0, is_paused: false, damage };
    }
  }

  /** Returns the damaged keys of an agent's queues. */
  async findDamage(agent: string): Promise<QueueDamage[]> {
    return findQueueDamage(this.redis, this.keys, agent);
  }

  /** Adds a job, unless it is there already. */
  async add(request: Job): Promise<void> {
    const plain = this.plainOf(request);
    if (plain === null) return this.addOther(request);
    const { base, jobId, data, atHead } = plain;
    await addJob.run(this.redis, {
      touches: [`${base}meta`, `${base}wait`, base + jobId],
      queueBase: base,
      jobId,
      data,
      jobOptions: PLAIN_OPTIONS,
      nowMs: now(),
      atHead,
    });
  }

  private async addOther(request: Job): Promise<void> {
    const data = JSON.stringify(request.data);
    const delayMs = Math.ceil(request.delayMs);
    if (delayMs <= 0 || data.length >= PLAIN_CHARS_MAX) return this.addByEngine(request);
    const base = this.baseOf(request);
    await addDelayed.run(this.redis, {
      delayed: `${base}delayed`,
      job: base + request.jobId,
      touches: [`${base}meta`],
      jobId: request.jobId,
      data,
      options: JSON.stringify({ attempts: 1, stackTraceLimit: 1, delay: delayMs }),
      delayMs,
      priority: request.priority === "low" ? LOW_PRIORITY : 0,
      queueBase: base,
    });
  }

  /** The hash in which the engine keeps this job. */
  keyOf(request: Pick<Job, "lane" | "agent" | "jobId">): string {
    return this.baseOf(request) + request.jobId;
  }

  private baseOf(request: Pick<Job, "lane" | "agent">): string {
    return `${this.keys.queuePrefix(slotOf(request))}:${queueName(request.agent, request.lane)}:`;
  }

  /** What our own scripts need to add a job; null for one that only the engine can add. */
  plainOf(request: Job): PlainJob | null {
    if (request.delayMs > 0 || request.priority === "low") return null;
    const data = toStoredText(request.data);
    if (data.length >= PLAIN_CHARS_MAX) return null;
    return {
      base: this.baseOf(request),
      jobId: request.jobId,
      data,
      atHead: request.priority === "high",
    };
  }

  private async addByEngine(request: Job): Promise<void> {
    const options: JobsOptions = {
      jobId: request.jobId,
      attempts: 1,
      sizeLimit: JOB_BYTES_MAX,
      stackTraceLimit: 1,
      removeOnFail: false,
      ...(request.delayMs > 0 ? { delay: Math.ceil(request.delayMs) } : {}),
      ...(request.priority === "high" ? { lifo: true } : {}),
      ...(request.priority === "low" ? { priority: LOW_PRIORITY } : {}),
    };
    await this.of(request.agent, request.lane).add("handoff", request.data, options);
  }

  /** The BullMQ queue of one lane. */
  of(agent: string, lane: Job["lane"]): Queue {
    const slot = slotOf({ agent, lane });
    const name = queueName(agent, lane);
    const present = this.open.get(name);
    if (present !== undefined) return present;
    const queue = new Queue(name, {
      connection: this.redis,
      prefix: this.keys.queuePrefix(slot),
      streams: { events: { maxLen: this.retention.eventStreamLength } },
      skipWaitingForReady: true,
    });
    // The connection is shared and reports its own errors; without a listener Node would end the process.
    queue.on("error", () => undefined);
    this.open.set(name, queue);
    // BullMQ asks for the server's version once, at birth. A queue whose question was lost in an outage never adds
    // again:
    // it is let go, and the next use opens another.
    queue.waitUntilReady().catch(() => {
      if (this.open.get(name) === queue) this.open.delete(name);
      void queue.close().catch(() => undefined);
    });
    return queue;
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.open.values()].map((queue) => queue.close()));
  }
}

function slotOf({ agent, lane }: Pick<Job, "agent" | "lane">): string {
  return lane === "ward" ? WARD_QUEUE : agent;
}

export function queueName(agent: string, lane: Job["lane"]): string {
  if (lane === "ward") return WARD_QUEUE;
  return lane === "retry" ? retryQueueOf(agent) : agent;
}
