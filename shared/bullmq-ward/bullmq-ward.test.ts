import { FlowProducer, Queue, Worker } from "bullmq";
import type { Job, JobsOptions } from "bullmq";
import type { Redis } from "ioredis";
import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { AttachedQueue } from "#shared/store/attached";
import { testPrefix, testRedis } from "#shared/testing";
import { BullmqWard } from "./bullmq-ward.ts";
import type { BullmqWardOptions } from "./bullmq-ward.ts";
import type { JobCase } from "./job-case.ts";

const Order = z.strictObject({ order: z.string(), amount: z.int(), paid: z.boolean() });

interface Bench {
  readonly redis: Redis;
  readonly queue: Queue;
  readonly prefix: string;
  /** Ids of completed jobs, one entry for each time that the processor succeeded. */
  readonly succeeded: string[];
  readonly ward: (options?: Partial<BullmqWardOptions>) => BullmqWard;
  readonly startWorker: () => Worker;
}

function openBench(): Bench {
  const prefix = testPrefix();
  const redis = testRedis();
  const connection = testRedis();
  connection.options.maxRetriesPerRequest = null;
  const queue = new Queue("orders", { prefix, connection });
  const workers: Worker[] = [];
  const succeeded: string[] = [];
  onTestFinished(async () => {
    for (const worker of workers) await worker.close();
    await queue.close();
    connection.disconnect();
    redis.disconnect();
  });
  return {
    redis,
    queue,
    prefix,
    succeeded,
    ward: (options) => new BullmqWard(queue, { redis, contract: { schema: Order }, ...options }),
    startWorker: () => {
      const worker = new Worker("orders", (job) => Promise.resolve(processOrder(job, succeeded)), {
        prefix,
        connection,
        concurrency: 10,
      });
      workers.push(worker);
      return worker;
    },
  };
}

function processOrder(job: Job, succeeded: string[]): string {
  // What BullMQ read of JSON has members of any kind, or none.
  const { order, amount, paid } = job.data as Record<string, unknown>;
  if (typeof order !== "string") throw new Error(`order ${String(order)} is no text`);
  if (typeof amount !== "number") throw new Error(`amount "${String(amount)}" is no number`);
  if (typeof paid !== "boolean") throw new Error("paid is missing");
  succeeded.push(job.id ?? "");
  return "done";
}

async function counts(queue: Queue): Promise<[number, number]> {
  const { failed = 0, completed = 0 } = await queue.getJobCounts("failed", "completed");
  return [failed, completed];
}

async function failAll(bench: Bench, jobs: readonly { data: unknown; opts?: JobsOptions }[]): Promise<void> {
  await bench.queue.addBulk(jobs.map(({ data, opts }) => ({ name: "order", data, ...(opts && { opts }) })));
  const worker = bench.startWorker();
  await vi.waitFor(async () => expect((await counts(bench.queue))[0]).toBe(jobs.length), {
    timeout: 60_000,
  });
  await worker.close();
}

async function casesOf(ward: BullmqWard): Promise<readonly JobCase[]> {
  const found: JobCase[] = [];
  for await (const one of ward.cases()) found.push(one);
  return found;
}

async function first(ward: BullmqWard): Promise<JobCase> {
  const [one] = await casesOf(ward);
  if (one === undefined) throw new Error("There is no failed job.");
  return one;
}

/** Ten kinds of fault: five that rules repair, and five that only a person can. */
const KINDS: readonly ((n: number) => unknown)[] = [
  (n) => ({ order: `o${n}`, amount: String(n + 10), paid: true }),
  (n) => ({ order: `o${n}`, amount: n, paid: "true" }),
  (n) => ({ Order: `o${n}`, amount: n, paid: true }),
  (n) => JSON.stringify({ order: `o${n}`, amount: n, paid: true }),
  (n) => ({ data: { order: `o${n}`, amount: n, paid: false } }),
  (n) => ({ order: `o${n}`, amount: n }),
  (n) => ({ order: `o${n}`, paid: true }),
  () => ({ amount: 3, paid: true }),
  (n) => ({ order: `o${n}`, amount: [n], paid: true }),
  () => ({}),
];

const REPAIRABLE = 5;

it("groups sixty jobs that failed in ten ways, sends the proved ones back, each once, and keeps the rest", async () => {
  const bench = openBench();
  await failAll(
    bench,
    KINDS.flatMap((kind) => [0, 1, 2, 3, 4, 5].map((n) => ({ data: kind(n), opts: { attempts: 1 } }))),
  );
  const watching = await bench.ward().sweep();
  expect(watching).toMatchObject({ cases: 60, proposed: 0, redriven: 0 });
  expect(watching.groups.map(({ count }) => count)).toEqual(KINDS.map(() => 6));
  expect(await bench.redis.keys(`${bench.prefix}:orders:suture-ward*`)).toEqual([]);

  expect(await bench.ward({ mode: "propose" }).sweep()).toMatchObject({
    proposed: 6 * REPAIRABLE,
    redriven: 0,
  });
  const cautious = await bench.ward({ mode: "redrive" }).sweep();
  expect(cautious.held).toEqual({ effects_unknown: 6 * REPAIRABLE });

  bench.startWorker();
  const ward = bench.ward({ mode: "redrive", mayRepeatEffects: true });
  expect(await ward.sweep()).toMatchObject({ redriven: 6 * REPAIRABLE, held: {} });
  await vi.waitFor(async () => expect(await counts(bench.queue)).toEqual([30, 30]), { timeout: 60_000 });
  expect(new Set(bench.succeeded).size).toBe(30);
  expect(bench.succeeded).toHaveLength(30);
  const [done] = await bench.queue.getJobs(["completed"], 0, 100, true);
  expect(done?.data).toEqual({ order: "o0", amount: 10, paid: true });
});

it("finishes what died between edit and retry, beside a second sweeper and an operator, each job once", async () => {
  const bench = openBench();
  const ids = Array.from({ length: 40 }, (_, n) => n);
  await failAll(
    bench,
    ids.map((n) => ({ data: { order: `o${n}`, amount: `${n}`, paid: true } })),
  );
  // It dies in BullMQ's retry, after the write.
  const dying = new AttachedQueue(
    {
      name: "orders",
      toKey: (type) => bench.queue.toKey(type),
      getJob: () => Promise.reject(new Error("killed")),
    },
    bench.redis,
  );
  const ward = bench.ward({ mode: "redrive", mayRepeatEffects: true });
  const cases = await casesOf(ward);
  for (const one of cases.slice(0, 10)) {
    const proposal = ward.propose(one);
    const data = proposal.kind === "repair" ? proposal.data : null;
    await expect(dying.redrive(one.id, { version: one.version, data, by: "dying" })).rejects.toThrow(
      "killed",
    );
  }
  // Nobody but its own process touches a redrive that may still be under way.
  const [half] = (await casesOf(ward)).filter(({ id }) => id === cases[0]?.id);
  if (half === undefined) throw new Error("The job has left the failed set.");
  expect(await ward.redrive(half, { by: "other" })).toEqual({ kind: "held", reason: "under_way" });
  expect(await ward.recover()).toBe(0);

  bench.startWorker();
  const operator = async (): Promise<void> => {
    for (const one of cases.slice(5, 20)) {
      const job = await bench.queue.getJob(one.id);
      await job?.retry("failed").catch(() => undefined);
    }
  };
  await Promise.all([
    ward.sweep(),
    bench.ward({ mode: "redrive", mayRepeatEffects: true }).sweep(),
    operator(),
    ward.recover(0),
  ]);
  await vi.waitFor(
    async () => {
      await ward.recover(0);
      // What the operator sent back unrepaired has failed again.
      await ward.sweep();
      expect(await counts(bench.queue)).toEqual([0, 40]);
    },
    { timeout: 60_000 },
  );
  expect(bench.succeeded.toSorted()).toEqual([...new Set(bench.succeeded)].toSorted());
  expect(bench.succeeded).toHaveLength(40);
});

it("leaves a job alone whose data was edited by another tool after it was read", async () => {
  const bench = openBench();
  await failAll(bench, [{ data: { order: "o1", amount: "1", paid: true } }]);
  const ward = bench.ward({ mayRepeatEffects: true });
  const read = await first(ward);
  const job = await bench.queue.getJob(read.id);
  await job?.updateData({ order: "theirs", amount: 2, paid: true });
  const held = await ward.redrive(read, { data: '{"order":"ours"}', by: "ann" });
  expect(held).toEqual({ kind: "held", reason: "changed" });
  expect((await first(ward)).data).toContain("theirs");
});

it("edits, undoes to the very bytes, sends back at most as often as allowed, and detaches without a trace", async () => {
  const bench = openBench();
  // Spaces and an escape that JavaScript would print otherwise.
  await failAll(bench, [{ data: {}, opts: { jobId: "odd" } }]);
  const original = '{ "order": "\\u0041", "amount": "x" }';
  await bench.redis.hset(bench.queue.toKey("odd"), "data", original);
  const ward = bench.ward({ mayRepeatEffects: true, redrivesMax: 1 });
  expect(await ward.edit(await first(ward), '{"order":"b"}', "ann")).toMatchObject({ kind: "written" });
  expect((await first(ward)).data).toBe('{"order":"b"}');
  expect(await ward.undo("odd", "ann")).toBe("undone");
  expect((await first(ward)).data).toBe(original);
  expect(await ward.undo("odd", "ann")).toBe("nothing_kept");

  bench.startWorker();
  const before = await first(ward);
  expect(await ward.redrive(before, { data: '{"order":"c"}', by: "ben" })).toMatchObject({ kind: "written" });
  await vi.waitFor(async () => expect((await first(ward)).failedAtMs).toBeGreaterThan(before.failedAtMs), {
    timeout: 60_000,
  });
  const again = await ward.redrive(await first(ward), { by: "ben" });
  expect(again).toEqual({ kind: "held", reason: "redrives_used" });
  const deeds: string[] = [];
  for await (const { deed = "", by = "" } of ward.audit()) deeds.push(`${by} ${deed}`);
  expect(deeds).toEqual(["ann edited", "ann undone", "ben edited and sent"]);

  const exported: (string | null)[] = [];
  await ward.detach((jobCase, kept) => void exported.push(jobCase.data, kept));
  expect(exported).toEqual(['{"order":"c"}', original]);
  expect(await bench.redis.keys(`${bench.prefix}:orders:suture-ward*`)).toEqual([]);
  expect(await counts(bench.queue)).toEqual([1, 0]);
});

it("holds a job whose deduplication id another job has taken", async () => {
  const bench = openBench();
  const opts = { deduplication: { id: "customer-1" } };
  await failAll(bench, [{ data: { order: "o1", amount: "1", paid: true }, opts }]);
  const ward = bench.ward({ mode: "redrive", mayRepeatEffects: true });
  await bench.queue.add("order", { order: "o1", amount: 1, paid: true }, opts);
  expect((await ward.sweep()).held).toEqual({ deduplication_in_use: 1 });
});

it.each([
  ["waits for it", {}, "waiting-children", "waiting"],
  ["has failed with it", { failParentOnFailure: true }, "failed", "failed"],
  ["went on without it", { ignoreDependencyOnFailure: true }, "completed", "parent_done"],
] as const)("sees that the parent of a flow's child %s", async (_, opts, state, expected) => {
  const bench = openBench();
  const connection = testRedis();
  const flows = new FlowProducer({ prefix: bench.prefix, connection });
  const parents = testRedis();
  parents.options.maxRetriesPerRequest = null;
  const worker = new Worker("parents", () => Promise.resolve("all"), {
    prefix: bench.prefix,
    connection: parents,
  });
  const parentQueue = new Queue("parents", { prefix: bench.prefix, connection });
  onTestFinished(async () => {
    await worker.close();
    await parentQueue.close();
    await flows.close();
    for (const one of [connection, parents]) one.disconnect();
  });
  await flows.add({
    name: "all",
    queueName: "parents",
    children: [{ name: "order", queueName: "orders", data: { order: "a", amount: "1", paid: true }, opts }],
  });
  const ordersWorker = bench.startWorker();
  await vi.waitFor(
    async () => {
      expect((await counts(bench.queue))[0]).toBe(1);
      expect(await parentQueue.getJobCountByTypes(state)).toBe(1);
    },
    { timeout: 60_000 },
  );
  const ward = bench.ward({ mayRepeatEffects: true });
  const child = await first(ward);
  const proposal = ward.propose(child);
  if (proposal.kind === "none") throw new Error(proposal.reason);
  const result = await ward.redrive(child, { data: proposal.data, by: "ann" });
  expect(result.kind === "held" ? result.reason : result.parent).toBe(expected);
  if (expected === "waiting")
    await vi.waitFor(async () => expect(await parentQueue.getJobCountByTypes("completed")).toBe(1), {
      timeout: 60_000,
    });
  await ordersWorker.close();
});

it("keeps a description of a job that BullMQ removes when it fails", async () => {
  const bench = openBench();
  const ward = bench.ward();
  const connection = testRedis();
  connection.options.maxRetriesPerRequest = null;
  const failing = ward.keep((job: Job) => Promise.reject(new Error(`no ${job.name}`)));
  const worker = new Worker("orders", failing, { prefix: bench.prefix, connection });
  onTestFinished(async () => {
    await worker.close();
    connection.disconnect();
  });
  await bench.queue.add("order", { order: "gone" }, { removeOnFail: true, attempts: 2 });
  const kept: unknown[] = [];
  await vi.waitFor(
    async () => {
      kept.length = 0;
      for await (const text of ward.kept()) kept.push(JSON.parse(text));
      expect(kept).toHaveLength(1);
    },
    { timeout: 60_000 },
  );
  expect(kept).toMatchObject([
    { seal: "unsealed", data: { order: "gone" }, attemptsMade: 2, failedReason: "no order" },
  ]);
  await vi.waitFor(async () => expect(await counts(bench.queue)).toEqual([0, 0]), { timeout: 60_000 });
});
