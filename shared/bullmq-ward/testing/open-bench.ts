import type { FlowProducer, Job, JobsOptions, Queue, Worker, WorkerOptions } from "bullmq";
import type { Redis } from "ioredis";
import { expect, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { testPrefix, testRedis, testRedisUrl } from "#shared/testing";
import { BullmqWard } from "../bullmq-ward.ts";
import type { JobCase } from "../job-case.ts";
import type { BullmqWardOptions } from "../options.ts";
import type { Engine } from "./engines.ts";

export const Order = z.strictObject({ order: z.string(), amount: z.int(), paid: z.boolean() });

/** A queue of orders as somebody has it, with a worker that is strict about their data. */
export interface Bench {
  readonly redis: Redis;
  readonly queue: Queue;
  readonly flows: FlowProducer;
  readonly prefix: string;
  /** Ids of completed jobs, one entry for each time that the processor succeeded. */
  readonly succeeded: string[];
  readonly ward: (options?: Partial<BullmqWardOptions>) => BullmqWard;
  readonly openQueue: (name: string) => Queue;
  readonly startWorker: (more?: Partial<WorkerOptions>) => Worker;
  readonly startOther: (name: string, process: (job: Job) => Promise<unknown>) => Worker;
}

export function openBench(engine: Engine): Bench {
  const prefix = testPrefix();
  const redis = testRedis();
  const shared = { prefix, connection: { url: testRedisUrl(), maxRetriesPerRequest: null } };
  const open: { close: () => Promise<unknown> }[] = [];
  const succeeded: string[] = [];
  const track = <One extends { close: () => Promise<unknown> }>(one: One): One => {
    open.unshift(one);
    return one;
  };
  onTestFinished(async () => {
    for (const one of open) await one.close();
    redis.disconnect();
  });
  const queue = track(new engine.Queue("orders", shared));
  const startOther: Bench["startOther"] = (name, process) => track(new engine.Worker(name, process, shared));
  return {
    redis,
    queue,
    flows: track(new engine.FlowProducer(shared)),
    prefix,
    succeeded,
    ward: (options) => new BullmqWard(queue, { redis, contract: { schema: Order }, ...options }),
    openQueue: (name) => track(new engine.Queue(name, shared)),
    startWorker: (more) =>
      track(
        new engine.Worker("orders", (job) => Promise.resolve(processOrder(job, succeeded)), {
          ...shared,
          concurrency: 10,
          ...more,
        }),
      ),
    startOther,
  };
}

function processOrder(job: Job, succeeded: string[]): string {
  // JSON that BullMQ has read has members of any kind, or none.
  const { order, amount, paid } = job.data as Record<string, unknown>;
  if (typeof order !== "string") throw new Error(`order ${String(order)} is no text`);
  if (typeof amount !== "number") throw new Error(`amount ${String(amount)} is no number`);
  if (typeof paid !== "boolean") throw new Error("paid is missing");
  succeeded.push(job.id ?? "");
  return "done";
}

export async function counts(queue: Queue): Promise<[failed: number, completed: number]> {
  const { failed = 0, completed = 0 } = await queue.getJobCounts("failed", "completed");
  return [failed, completed];
}

/** Waits, with patience for a busy machine. */
export function eventually(look: () => Promise<unknown>): Promise<unknown> {
  return vi.waitFor(look, { timeout: 60_000, interval: 20 });
}

export async function failAll(
  bench: Bench,
  jobs: readonly { data: unknown; opts?: JobsOptions }[],
): Promise<void> {
  await bench.queue.addBulk(jobs.map(({ data, opts }) => ({ name: "order", data, ...(opts && { opts }) })));
  const worker = bench.startWorker();
  await eventually(async () => expect((await counts(bench.queue))[0]).toBe(jobs.length));
  await worker.close();
}

export async function casesOf(ward: BullmqWard): Promise<readonly JobCase[]> {
  const found: JobCase[] = [];
  for await (const one of ward.cases()) found.push(one);
  return found;
}

export async function first(ward: BullmqWard): Promise<JobCase> {
  const [one] = await casesOf(ward);
  if (one === undefined) throw new Error("There is no failed job.");
  return one;
}

export function wardKeys(bench: Bench): Promise<readonly string[]> {
  return bench.redis.keys(`${bench.prefix}:orders:suture-ward*`);
}

/** Ten kinds of fault: five that rules repair, and five that only a person can. */
export const KINDS: readonly ((n: number) => unknown)[] = [
  (n) => ({ order: `o${n}`, amount: String(n + 10), paid: true }),
  (n) => ({ order: `o${n}`, amount: n, paid: "true" }),
  (n) => ({ Order: `o${n}`, amount: n, paid: true }),
  (n) => JSON.stringify({ order: `o${n}`, amount: n, paid: true }),
  (n) => ({ data: { order: `o${n}`, amount: n, paid: false } }),
  (n) => ({ order: `o${n}`, amount: [n + 20], paid: true }),
  (n) => ({ order: `o${n}`, amount: n }),
  (n) => ({ order: `o${n}`, paid: true }),
  () => ({ amount: 3, paid: true }),
  () => ({}),
];

export const REPAIRABLE = 6;
