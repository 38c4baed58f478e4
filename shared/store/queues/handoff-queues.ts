import { createRequire } from "node:module";
import { Queue } from "bullmq";
import { z } from "zod";
import { now } from "#shared/clock";
import { retryQueueOf, WARD_QUEUE } from "../keys.ts";
import { BullmqTooOldError } from "../errors.ts";
import { isRedisReply } from "../script.ts";
import { toStoredText } from "./job-data.ts";
import type { JobData } from "./job-data.ts";
import { addJob } from "../scripts/queues.ts";
import type { JobCall } from "../scripts/queues.ts";
import { StorePart, sum } from "../store-part.ts";
import type { PlacedStore } from "../store-part.ts";

/** A sealed message (or a case) in one queue. `jobId` is derived, not random, so adding is idempotent. */
export interface Job {
  /** `fresh` and `retry` are the two queues of an agent; `ward` is the surgeon's. */
  readonly lane: "fresh" | "retry" | "ward";
  readonly agent: string;
  readonly jobId: string;
  readonly data: JobData;
  readonly delayMs: number;
  readonly priority: "high" | "normal" | "low";
}

/** Job counts of one queue. */
export const queueDepthSchema = z.object({
  waiting: z.int(),
  active: z.int(),
  delayed: z.int(),
  failed: z.int(),
  is_paused: z.boolean(),
  damage: z
    .string()
    .nullable()
    .meta({ description: "Which keys of the queue are damaged; null for a sound one." }),
});

type QueueDepth = Readonly<z.output<typeof queueDepthSchema>>;

/** BullMQ runs jobs without a priority before all prioritised ones, which is what `low` needs. */
const LOW_PRIORITY = 10;

/** BullMQ's options of a job, and their stored form. */
const OPTIONS = { attempts: 1, stackTraceLimit: 1 };
const PLAIN_OPTIONS = JSON.stringify(OPTIONS);

interface OwnQueues {
  readonly queues: HandoffQueues;
}

/** Queues of all agents, opened on first use. Counted in every shard; jobs are added in one, once by their id. */
export class HandoffQueues extends StorePart<OwnQueues> {
  private readonly open = new Map<string, Queue>();

  /** @throws {BullmqTooOldError} The project's BullMQ cannot run agents. */
  constructor(store: PlacedStore & OwnQueues) {
    assertEngine();
    super(store);
  }

  /** Counts the jobs of one queue. A damaged queue counts 0, with a description of the damage. */
  async depth(agent: string, lane: Job["lane"]): Promise<QueueDepth> {
    const depths = await this.fromEach(({ queues }) => queues.ownDepth(agent, lane));
    const total = (name: "waiting" | "active" | "delayed" | "failed"): number =>
      sum(depths.map((depth) => depth[name]));
    const damages = depths.flatMap(({ damage }) => damage ?? []);
    return {
      waiting: total("waiting"),
      active: total("active"),
      delayed: total("delayed"),
      failed: total("failed"),
      is_paused: depths.some(({ is_paused }) => is_paused),
      damage: damages.length === 0 ? null : damages.join("; "),
    };
  }

  private async ownDepth(agent: string, lane: Job["lane"]): Promise<QueueDepth> {
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
      const found = isRedisReply(error) ? await findQueueDamage(this.store, agent) : [];
      const own = found.filter((one) => one.queue === name);
      if (own.length === 0) throw error;
      const damage = own.map(describeDamage).join("; ");
      return { waiting: 0, active: 0, delayed: 0, failed: 0, is_paused: false, damage };
    }
  }

  /** Returns the damaged keys of an agent's queues. */
  async findDamage(agent: string): Promise<QueueDamage[]> {
    return (await this.fromEach((shard) => findQueueDamage(shard, agent))).flat();
  }

  /** Adds a job. Idempotent by job id. */
  async add(request: Job): Promise<void> {
    const job = this.toCall(request);
    const { base, jobId } = job;
    const names = ["meta", "wait", "delayed", "prioritized", "marker", jobId];
    await addJob.run(this.redis, { touches: names.map((name) => base + name), jobs: [job], nowMs: now() });
  }

  /** Returns the key of BullMQ's hash of this job. */
  keyOf(request: Pick<Job, "lane" | "agent" | "jobId">): string {
    return this.keys.job(queueName(request.agent, request.lane), request.jobId);
  }

  /** Returns the job in the form of our scripts. */
  toCall(request: Job): JobCall {
    const { agent, lane, jobId, priority } = request;
    const delayMs = Math.max(0, Math.ceil(request.delayMs));
    return {
      base: this.keys.queueBase(queueName(agent, lane)),
      jobId,
      data: toStoredText(request.data),
      options: delayMs > 0 ? JSON.stringify({ ...OPTIONS, delay: delayMs }) : PLAIN_OPTIONS,
      delayMs,
      priority: priority === "low" ? LOW_PRIORITY : 0,
      atHead: priority === "high",
    };
  }

  /** The BullMQ queue of one lane. */
  of(agent: string, lane: Job["lane"]): Queue {
    const name = queueName(agent, lane);
    const present = this.open.get(name);
    if (present !== undefined) return present;
    const queue = new Queue(name, {
      connection: this.redis,
      prefix: this.keys.queuePrefixOf(name),
      streams: { events: { maxLen: this.store.bounds.eventStreamLength } },
      skipWaitingForReady: true,
    });
    // The connection is shared and reports its own errors; an `error` event without a listener would end the process.
    queue.on("error", () => undefined);
    this.open.set(name, queue);
    // BullMQ reads the server version once: a queue whose read failed would never add again, so it is dropped.
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

export function queueName(agent: string, lane: Job["lane"]): string {
  if (lane === "ward") return WARD_QUEUE;
  return lane === "retry" ? retryQueueOf(agent) : agent;
}

/** Release of BullMQ from which its Redis backend can be extended as agents need it. */
const [MAJOR, MINOR_MIN] = [6, 7];

/** @throws {BullmqTooOldError} The project's BullMQ cannot run agents. */
function assertEngine(): void {
  // The package's own manifest has its version.
  const { version } = createRequire(import.meta.url)("bullmq/package.json") as { readonly version: string };
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major !== MAJOR || minor < MINOR_MIN) throw new BullmqTooOldError(version);
}

/** A key of a queue that does not have the type BullMQ needs, so that the queue cannot be used. */
export interface QueueDamage {
  /** `refunds`, `refunds.retry` or `ward`. */
  readonly queue: string;
  /** Name of the key in its queue: `wait`, `meta`. */
  readonly key: string;
  /** Type that Redis reports. */
  readonly found: string;
  readonly needed: string;
}

/** Types of BullMQ's keys. */
const TYPES: Readonly<Record<string, string>> = {
  wait: "list",
  paused: "list",
  active: "list",
  prioritized: "zset",
  delayed: "zset",
  completed: "zset",
  failed: "zset",
  marker: "zset",
  meta: "hash",
  events: "stream",
  stalled: "set",
};

/** Returns the damaged keys of both queues of an agent, or of the surgeon's queue for `ward`. One round trip. */
async function findQueueDamage({ redis, keys }: PlacedStore, agent: string): Promise<QueueDamage[]> {
  const queues = agent === WARD_QUEUE ? [WARD_QUEUE] : [agent, retryQueueOf(agent)];
  const looked = queues.flatMap((queue) =>
    Object.entries(TYPES).map(([key, needed]) => ({ queue, key, needed })),
  );
  // All keys share the agent's hash tag, and so a node.
  const pipeline = redis.pipeline();
  for (const { queue, key } of looked) pipeline.type(keys.job(queue, key));
  const replies = (await pipeline.exec()) ?? [];
  return looked.flatMap((one, i) => {
    const [error, reply] = replies[i] ?? [];
    if (error instanceof Error) throw error;
    const found = String(reply);
    return found === one.needed || found === "none" ? [] : [{ ...one, found }];
  });
}

/** Describes the damage in words. */
export function describeDamage({ queue, key, found, needed }: QueueDamage): string {
  return `the key ${key} of queue ${queue} is a ${found}, not a ${needed}`;
}
