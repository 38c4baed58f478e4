import { Job, Queue, Worker } from "bullmq";
import fc from "fast-check";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { Redis } from "ioredis";
import { openTestStore, testRedisUrl } from "#shared/testing";
import { setClock, sleep } from "#shared/clock";
import { engineBackend } from "./engine-backend.ts";

const redis = new Redis(testRedisUrl(), { maxRetriesPerRequest: null });
afterAll(() => redis.disconnect());
const LOCK_MS = 60_000;
const LATE_MS = 3_600_000;
const JOBS = Array.from({ length: 13 }, (_, n) => n);

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("add" as const),
      job: fc.constantFrom(...JOBS),
      priority: fc.constantFrom("high" as const, "normal" as const, "normal" as const, "low" as const),
      late: fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ do: "take" as const }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("finish" as const), held: fc.nat(), fetchNext: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("finish with a foreign token" as const), held: fc.nat() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("give back" as const), held: fc.nat() }) },
  { weight: 1, arbitrary: fc.constantFrom({ do: "pause" as const }, { do: "resume" as const }) },
);

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

/** One queue, worked either by the engine alone or by our scripts. */
class Side {
  private readonly store = openTestStore();
  readonly queue: Queue;
  readonly worker: Worker;
  readonly held: Job[] = [];
  private readonly isOurs: boolean;

  constructor(isOurs: boolean) {
    this.isOurs = isOurs;
    const prefix = this.store.keys.queuePrefix;
    this.queue = new Queue("a", { connection: redis, prefix });
    const options = { connection: redis, prefix, autorun: false, lockDuration: LOCK_MS };
    const settings = {
      redis,
      prefix,
      lockMs: LOCK_MS,
      ledgerBases: null,
      finishedCount: 1000,
      finishedAgeMs: LATE_MS,
    };
    this.worker = isOurs
      ? new Worker("a", null, options, engineBackend(settings))
      : new Worker("a", null, options);
  }

  async act(one: Step): Promise<unknown> {
    switch (one.do) {
      case "add":
        return this.add(one);
      case "take":
        return this.hold(await this.worker.getNextJob("token", { block: false }));
      case "pause":
        return this.queue.pause();
      case "resume":
        return this.queue.resume();
      default:
        return this.end(one);
    }
  }

  private async add({ job, priority, late }: Extract<Step, { do: "add" }>): Promise<void> {
    const jobId = `job-${job}`;
    const delayMs = late ? LATE_MS : 0;
    if (this.isOurs)
      return this.store.queues.add({ lane: "fresh", agent: "a", jobId, data: { job }, delayMs, priority });
    const order = priority === "high" ? { lifo: true } : priority === "low" ? { priority: 10 } : {};
    await this.queue.add("handoff", { job }, { jobId, delay: delayMs, ...order });
  }

  private hold(job: Job | undefined): unknown {
    if (job !== undefined) this.held.push(job);
    return job === undefined ? null : { id: job.id, data: job.data, starts: job.attemptsStarted };
  }

  private async end(one: Extract<Step, { held: number }>): Promise<unknown> {
    const at = one.held % Math.max(1, this.held.length);
    const job = this.held[at];
    if (job === undefined) return null;
    if (one.do === "finish with a foreign token") {
      return job.moveToCompleted(null, "foreign", false).then(
        () => "finished",
        (error: unknown) => (error instanceof Error && "code" in error ? error.code : error),
      );
    }
    this.held.splice(at, 1);
    if (one.do === "give back") return job.moveToWait("token");
    const [json, id] = (await job.moveToCompleted(null, "token", one.fetchNext)) ?? [];
    if (!json) return null;
    return this.hold(await Job.fromId(this.worker, String(id)));
  }

  /** Returns the visible state of the queue, but for the times. */
  async look(): Promise<unknown> {
    const base = this.queue.toKey("");
    const [wait, active, prioritized, delayed, completed, locks] = await Promise.all([
      redis.lrange(`${base}wait`, 0, -1),
      redis.lrange(`${base}active`, 0, -1),
      redis.zrange(`${base}prioritized`, "0", "-1"),
      redis.zrange(`${base}delayed`, "0", "-1"),
      redis.zrange(`${base}completed`, "0", "-1"),
      redis.mget(JOBS.map((job) => `${base}job-${job}:lock`)),
    ]);
    return {
      wait,
      active,
      prioritized,
      delayed: delayed.toSorted(),
      completed: completed.toSorted(),
      locks,
      states: await Promise.all(this.held.map((job) => job.getState())),
    };
  }

  /** Something waits, nothing holds it back, and nobody would be told. */
  async isUnheard(): Promise<boolean> {
    const base = this.queue.toKey("");
    const waiting = (await redis.llen(`${base}wait`)) + (await redis.zcard(`${base}prioritized`));
    const isPaused = (await redis.hexists(`${base}meta`, "paused")) === 1;
    return !isPaused && waiting > 0 && (await redis.exists(`${base}marker`)) === 0;
  }

  async close(): Promise<void> {
    await Promise.all([this.worker.close(true), this.queue.close(), this.store.close()]);
  }
}

/** One queue on our backend, of which five finished jobs are kept. */
function openQueue({ hasLedger }: { readonly hasLedger: boolean }) {
  const { keys, queues } = openTestStore();
  const prefix = keys.queuePrefix;
  const ledgerBases = hasLedger ? keys.ledgerBasesOf("a") : null;
  const settings = { redis, prefix, lockMs: LOCK_MS, ledgerBases, finishedCount: 5, finishedAgeMs: LATE_MS };
  const options = { connection: redis, prefix, autorun: false };
  const worker = new Worker("a", null, options, engineBackend(settings));
  onTestFinished(async () => {
    await worker.close(true);
  });
  return { keys, prefix, queues, worker };
}

describe("the engine's backend with our scripts", () => {
  it("does what the engine's own does, whatever is asked of it", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
        const engine = new Side(false);
        const ours = new Side(true);
        try {
          for (const one of steps) {
            expect([await ours.act(one), one], JSON.stringify(steps)).toEqual([await engine.act(one), one]);
            expect(await ours.look(), JSON.stringify(steps)).toEqual(await engine.look());
          }
          expect(await ours.isUnheard()).toBe(false);
        } finally {
          await Promise.all([engine.close(), ours.close()]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("promotes a delayed job by Redis' clock, whatever the sender's says", async () => {
    const { queues, worker } = openQueue({ hasLedger: false });
    const setBack = setClock({ now: () => Date.now() + 2 * LATE_MS });
    const add = (jobId: string, priority: "normal" | "low") =>
      queues.add({ lane: "fresh", agent: "a", jobId, data: {}, delayMs: 20, priority });
    await add("low", "low");
    await add("normal", "normal");
    await add("normal", "normal");
    setBack();
    // Both are due before the first is taken, so that their priority alone decides.
    await sleep(40);
    const take = async (): Promise<unknown> => (await worker.getNextJob("token", { block: false }))?.id;
    await expect.poll(take).toBe("normal");
    expect(await take()).toBe("low");
  });

  it("ends no job whose outcome a failover took back", async () => {
    const { keys, prefix, queues, worker } = openQueue({ hasLedger: false });
    await queues.add({ lane: "fresh", agent: "a", jobId: "one", data: {}, delayMs: 0, priority: "normal" });
    const backend = worker.getBackend();
    await backend.moveToActive("token");
    const what = { jobId: "one", token: "token", fetchNext: true, ledgerKey: keys.ledger("a", "one") };
    expect(await backend.finish(what)).toBeNull();
    expect(await redis.lrange(`${prefix}:a:active`, 0, -1)).toEqual(["one"]);
    await redis.hset(what.ledgerKey, "outcome", "{}");
    expect(await backend.finish(what)).toEqual([null, "", 0, 0]);
    expect(await redis.zrange(`${prefix}:a:completed`, "0", "-1")).toEqual(["one"]);
  });

  it("says of a message whether its agent's ledger or a cancellation knows it", async () => {
    const { keys, queues, worker } = openQueue({ hasLedger: true });
    const run = (n: number) => `0190a0a0-0000-7000-8000-00000000000${n}`;
    await redis.hset(keys.ledger("a", "known"), "outcome", "{}");
    await redis.set(keys.cancelled(run(2)), "1");
    const sealed = (n: number) => ({ sealed: JSON.stringify({ schema: 1, meta: { run_id: run(n) } }) });
    for (const [jobId, data] of Object.entries({
      new: sealed(1),
      known: sealed(1),
      cancelled: sealed(2),
      odd: {},
    })) {
      await queues.add({ lane: "fresh", agent: "a", jobId, data, delayMs: 0, priority: "normal" });
    }
    const backend = worker.getBackend();
    const heard: Record<string, boolean> = {};
    for (let n = 0; n < 4; n += 1) {
      const [json, id] = await backend.moveToActive("token");
      heard[String(id)] = Number(Object(json).unseenUntilMs) > 0;
    }
    expect(heard).toEqual({ new: true, known: false, cancelled: false, odd: false });
  });
});
