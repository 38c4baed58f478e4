import { Redis } from "ioredis";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { openTestStore, testRedisUrl } from "#shared/testing";
import { Consumer } from "./consume.ts";
import type { DeliveredJob } from "./consume.ts";

const redis = new Redis(testRedisUrl(), { maxRetriesPerRequest: null });
afterAll(() => redis.disconnect());

const CONCURRENCY = 10;

/** A queue with jobs, and a consumer whose handlers end when the test says so. */
async function openBench(
  jobs: number,
  onBegin: (job: DeliveredJob, consumer: Consumer) => void = () => undefined,
) {
  const store = openTestStore();
  /** Jobs whose handler has begun and not ended. */
  const begun = new Map<string, () => void>();
  const handled: string[] = [];
  const consumer: Consumer = new Consumer(store, {
    agent: "a",
    lane: "fresh",
    concurrency: CONCURRENCY,
    lockMs: 30_000,
    stalledIntervalMs: 30_000,
    async handle(job) {
      onBegin(job, consumer);
      await new Promise<void>((resolve) => begun.set(job.jobId, resolve));
      begun.delete(job.jobId);
      handled.push(job.jobId);
      return "done";
    },
    onError: () => undefined,
  });
  onTestFinished(async () => {
    for (const end of begun.values()) end();
    await consumer.close();
  });
  for (let n = 0; n < jobs; n += 1) {
    await store.queues.add({
      lane: "fresh",
      agent: "a",
      jobId: `job-${n}`,
      data: { sealed: `${n}`, attempt: 0 },
      delayMs: 0,
      priority: "normal",
    });
  }
  const base = `${store.keys.queuePrefix}:a:`;
  return {
    store,
    consumer,
    begun,
    handled,
    list: (state: "wait" | "active") => redis.lrange(base + state, 0, -1),
  };
}

it("takes as many jobs at once as it has room for, each under a lock of its own, and no more", async () => {
  const tokens = new Set<string>();
  const bench = await openBench(35, (job) => tokens.add(job.token));
  bench.consumer.start();
  await expect.poll(() => bench.begun.size).toBe(CONCURRENCY);
  expect(await bench.list("active")).toHaveLength(CONCURRENCY);
  expect(tokens.size).toBe(CONCURRENCY);
  expect([...bench.begun.keys()].toSorted()).toEqual(
    Array.from({ length: CONCURRENCY }, (_, n) => `job-${n}`),
  );
  while (bench.handled.length < 35) {
    await expect.poll(() => bench.begun.size > 0 || bench.handled.length === 35).toBe(true);
    expect((await bench.list("active")).length).toBeLessThanOrEqual(CONCURRENCY);
    for (const end of bench.begun.values()) end();
  }
  expect(new Set(bench.handled).size).toBe(35);
});

it("puts back what it took and has not begun when it is told to stop taking", async () => {
  const bench = await openBench(CONCURRENCY, (_, consumer) => consumer.hold("clock"));
  bench.consumer.start();
  await expect.poll(() => bench.begun.size).toBeGreaterThan(0);
  await expect
    .poll(async () => (await bench.list("active")).toSorted())
    .toEqual([...bench.begun.keys()].toSorted());
  const waiting = CONCURRENCY - bench.begun.size;
  expect(await bench.list("wait")).toHaveLength(waiting);
  bench.consumer.release("clock");
  for (const end of bench.begun.values()) end();
  await expect
    .poll(() => {
      for (const end of bench.begun.values()) end();
      bench.consumer.release("clock");
      return new Set(bench.handled).size;
    })
    .toBe(CONCURRENCY);
});

it("puts back what Redis gave while it was told to stop", async () => {
  const bench = await openBench(CONCURRENCY);
  const { redis: own } = bench.store;
  const { promise: asked, resolve: onAsked } = Promise.withResolvers<void>();
  const evalsha = vi.spyOn(own, "evalsha").mockImplementation((...call) => {
    evalsha.mockRestore();
    const reply = own.evalsha(...call);
    bench.consumer.hold("clock");
    reply.then(() => onAsked(), onAsked);
    return reply;
  });
  bench.consumer.start();
  await asked;
  await expect.poll(() => bench.list("active")).toEqual([]);
  expect(await bench.list("wait")).toHaveLength(CONCURRENCY);
});
