import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { z } from "zod";
import { BullmqWard } from "#shared/bullmq-ward";

export const CROWD_SETTINGS = { jobs: 100_000 };
export const QUICK_CROWD_SETTINGS: typeof CROWD_SETTINGS = { jobs: 10_000 };

/** Commands of Redis above this count as blocking, in µs. */
const SLOW_US = 10_000;
const ADDED_AT_ONCE = 500;

/** Slowest pings as `ping-process.ts` sends them, in ms. */
const pingsSchema = z.object({ max: z.number(), p999: z.number() });

export interface CrowdReport {
  readonly jobs: number;
  readonly groups: number;
  /** Time to the first groups, and to all of them, in ms. */
  readonly first_ms: number;
  readonly all_ms: number;
  /** Time of one sweep that sends every job back, in ms. */
  readonly redrive_ms: number;
  readonly redriven: number;
  /** Largest growth of this process's heap and of its whole memory over the start, in MiB. */
  readonly heap_mib: number;
  readonly rss_mib: number;
  /** Commands that held Redis for over 10 ms, by SLOWLOG. */
  readonly slow_commands: number;
  /** Longest answer to a client that pings every 2 ms meanwhile, in ms; the machine's own pauses are in it. */
  readonly ping_max_ms: number;
  readonly ping_p999_ms: number;
}

/** Measures a ward on a queue of so many failed jobs, in ten kinds of fault. */
export async function measureCrowd(
  url: string,
  { jobs }: typeof CROWD_SETTINGS,
  say: (line: string) => void,
): Promise<CrowdReport> {
  const redis = new Redis(url, { maxRetriesPerRequest: null });
  const queue = new Queue("orders", { connection: { url, maxRetriesPerRequest: null } });
  await failAll(redis, queue, jobs);
  say(`attached: ${jobs} failed jobs`);
  const contract = { schema: z.strictObject({ order: z.string(), amount: z.int(), note: z.string() }) };
  const ward = new BullmqWard(queue, { redis, contract, mode: "redrive", mayRepeatEffects: true });
  await redis.config("SET", "slowlog-log-slower-than", String(SLOW_US));
  await redis.slowlog("RESET");
  const memory = watchMemory();
  const pings = await watchPings(url);
  const startedAt = performance.now();
  let firstMs: number | null = null;
  let groups = 0;
  for await (const found of ward.survey()) {
    firstMs ??= performance.now() - startedAt;
    groups = found.length;
  }
  const allMs = performance.now() - startedAt;
  const sweptAt = performance.now();
  const { redriven } = await ward.sweep();
  const redriveMs = performance.now() - sweptAt;
  const slow = Number(await redis.slowlog("LEN"));
  const { max, p999 } = await pings();
  const grown = memory();
  await queue.close();
  redis.disconnect();
  return {
    jobs,
    groups,
    first_ms: firstMs ?? Number.NaN,
    all_ms: allMs,
    redrive_ms: redriveMs,
    redriven,
    ...grown,
    slow_commands: slow,
    ping_max_ms: max,
    ping_p999_ms: p999,
  };
}

/** Adds jobs and moves them to the failed set as a worker's failures would stand there. */
async function failAll(redis: Redis, queue: Queue, jobs: number): Promise<void> {
  await redis.flushall();
  const note = "a note of some length, as orders have it ".repeat(12);
  for (let from = 0; from < jobs; from += ADDED_AT_ONCE) {
    const part = Array.from({ length: Math.min(ADDED_AT_ONCE, jobs - from) }, (_, n) => from + n);
    const added = await queue.addBulk(
      part.map((n) => ({ name: `order-${n % 10}`, data: { order: `o${n}`, amount: String(n), note } })),
    );
    const pipeline = redis.pipeline();
    for (const [at, { id = "" }] of added.entries()) {
      pipeline.lrem(queue.toKey("wait"), -1, id);
      pipeline.zadd(queue.toKey("failed"), 1_700_000_000_000 + from + at, id);
      pipeline.hset(queue.toKey(id), {
        failedReason: `amount ${from + at} is no number`,
        stacktrace: JSON.stringify([
          `Error: amount is no number\n${"    at process (worker.js:1:1)\n".repeat(10)}`,
        ]),
        finishedOn: 1_700_000_000_000 + from + at,
        atm: 1,
        ats: 1,
      });
    }
    await pipeline.exec();
  }
}

function watchMemory(): () => { readonly heap_mib: number; readonly rss_mib: number } {
  const start = process.memoryUsage();
  let [heap, rss] = [0, 0];
  const timer = setInterval(() => {
    const now = process.memoryUsage();
    heap = Math.max(heap, now.heapUsed - start.heapUsed);
    rss = Math.max(rss, now.rss - start.rss);
  }, 20);
  return () => {
    clearInterval(timer);
    return { heap_mib: heap / 1024 ** 2, rss_mib: rss / 1024 ** 2 };
  };
}

/** Pings from a process of its own, so that the work of this one is not taken for that of Redis. */
async function watchPings(url: string): Promise<() => Promise<z.infer<typeof pingsSchema>>> {
  const child = fork(join(import.meta.dirname, "ping-process.ts"), [url]);
  await once(child, "message");
  return async () => {
    const told = once(child, "message");
    child.send("end");
    const [pings]: unknown[] = await told;
    return pingsSchema.parse(pings);
  };
}
