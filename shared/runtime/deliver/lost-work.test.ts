import { EventEmitter } from "node:events";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { Consumer } from "#shared/store/queues";
import { awayError, createTestSystem, startTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";

/** Only a death in a handling that had the process to itself may quarantine a message. */

const Note = contract("note@1", z.object({ n: z.number() }));
/** Far away, so that only this file takes locks; copies for as many as one test makes. */
const START = { lockMs: 600_000, stalledIntervalMs: 200, concurrency: 40 };

/** @param heldMax - That many handlings wait until the test ends them; the next completes its message. */
function openBench(heldMax: number) {
  const ends: ((error?: Error) => void)[] = [];
  const solo = agent("solo@1", {
    accepts: Note,
    handle: async (_, ctx) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const count = ends.push((error) => (error === undefined ? resolve() : reject(error)));
      if (count <= heldMax) await promise;
      return ctx.complete("survived");
    },
  });
  onTestFinished(() => {
    for (const end of ends) end();
  });
  const system = createTestSystem(team("one", [solo]));
  const { redis, keys } = system.store;
  return {
    system,
    ends,
    hasBegun: (count: number) => expect.poll(() => ends.length).toBe(count),
    /** Takes the job from its worker, as when that dies; another has taken it afterwards. */
    stall: async (queue: string, jobId: string): Promise<void> => {
      const lock = keys.lock(queue, jobId);
      await expect.poll(() => redis.exists(lock)).toBe(1);
      const stalls = Number(await redis.hget(keys.job(queue, jobId), "stc"));
      await redis.del(lock);
      await expect.poll(() => redis.hget(keys.job(queue, jobId), "stc")).toBe(String(stalls + 1));
      await expect.poll(() => redis.exists(lock)).toBe(1);
    },
  };
}

it("does not quarantine a message for deaths before it was put back and for those that it met waiting", async () => {
  const { system, ends, hasBegun, stall } = openBench(4);
  await system.start(START);
  const { runId, envelope } = await system.submit({ n: 1 });
  const id = envelope.meta.message_id;
  await hasBegun(1);
  await stall("solo", id);
  await hasBegun(2);
  ends[0]?.();
  ends[1]?.(awayError());
  await hasBegun(3);
  await stall("solo.retry", `${id}.1`);
  await hasBegun(4);
  // From here on it has its last chance: it waits until the two handlings before it are over, and dies waiting.
  await stall("solo.retry", `${id}.1`);
  await stall("solo.retry", `${id}.1`);
  expect(ends).toHaveLength(4);
  ends[2]?.();
  ends[3]?.();
  expect(await system.until(runId, ["completed", "quarantined"])).toMatchObject({ status: "completed" });
});

it("does not count a handling that was given back as a death", async () => {
  const { system, ends, hasBegun, stall } = openBench(3);
  const first = await system.start(START);
  const { runId, envelope } = await system.submit({ n: 1 });
  const id = envelope.meta.message_id;
  await hasBegun(1);
  await stall("solo", id);
  await hasBegun(2);
  ends[0]?.();
  await first.stop(0);
  await system.start(START);
  await hasBegun(3);
  await stall("solo", id);
  await stall("solo", id);
  expect(ends).toHaveLength(3);
  ends[2]?.();
  expect(await system.until(runId, ["completed", "quarantined"])).toMatchObject({ status: "completed" });
});

describe("a lock that was said to be lost", () => {
  const Letter = contract("note@1", z.object({ text: z.string() }));

  it("does not finish a message whose lock was said to be lost while it was still held", async () => {
    const started = vi.spyOn(Consumer.prototype, "start");
    let deliveries = 0;
    const last = agent("last@1", {
      accepts: Letter,
      handle: async (_, ctx) => {
        deliveries += 1;
        if (deliveries === 1) {
          // A late reply to an earlier lock's renewal names this very job. The worker is the field that emits events.
          const consumers = started.mock.contexts.flatMap((consumer) => Object.values(consumer ?? {}));
          const workers = consumers.filter((value) => value instanceof EventEmitter);
          for (const worker of workers) worker.emit("lockRenewalFailed", [ctx.envelope.meta.message_id]);
          await new Promise((_resolve, reject) =>
            ctx.signal.addEventListener("abort", () => reject(ctx.signal.reason)),
          );
        }
        return ctx.complete({ deliveries });
      },
    });
    const system = await startTestSystem(team("one", [last]));
    expect(await system.run({ text: "x" })).toMatchObject({ status: "completed", result: { deliveries: 2 } });
  });
});

describe("a job that was deleted", () => {
  const Task = contract("note@1", z.object({ n: z.number(), fails: z.boolean().default(false) }));

  function openTestSystem(options: Parameters<typeof createTestSystem>[1] = {}) {
    const calls: number[] = [];
    const solo = agent("solo@1", {
      accepts: Task,
      handle: ({ n, fails }, ctx) => {
        const isFirst = !calls.includes(n);
        calls.push(n);
        if (fails && isFirst) throw awayError();
        return ctx.complete(n);
      },
    });
    return { system: createTestSystem(team("one", [solo]), options), calls };
  }

  /** Every list of a queue in which the engine may keep the id of a job. */
  async function heldIn({ store }: TestSystem, queue: string): Promise<readonly string[]> {
    const key = (name: string): string => store.keys.job(queue, name);
    const [wait, active, delayed, prioritized] = await Promise.all([
      store.redis.lrange(key("wait"), 0, -1),
      store.redis.lrange(key("active"), 0, -1),
      store.redis.zrange(key("delayed"), "0", "-1"),
      store.redis.zrange(key("prioritized"), "0", "-1"),
    ]);
    return [...wait, ...active, ...delayed, ...prioritized];
  }

  const inSolo = ({ store }: TestSystem, name: string): string => store.keys.job("solo", name);
  const take = (system: TestSystem, id: string) =>
    system.store.redis.multi().lrem(inSolo(system, "wait"), 1, id);

  /** Moves an id that waits to where the engine keeps others. */
  const MOVES: Readonly<Record<string, (system: TestSystem, id: string) => Promise<unknown>>> = {
    waiting: () => Promise.resolve(),
    "behind others": () => Promise.resolve(),
    prioritized: (system, id) => take(system, id).zadd(inSolo(system, "prioritized"), 1, id).exec(),
    delayed: (system, id) => take(system, id).zadd(inSolo(system, "delayed"), 1, id).exec(),
    "taken by a process that died": (system, id) =>
      take(system, id).lpush(inSolo(system, "active"), id).exec(),
  };

  it("settles a job whose data was deleted wherever its id lies, and holds up no other", async () => {
    for (const [place, move] of Object.entries(MOVES)) {
      const { system, calls } = openTestSystem();
      const { store } = system;
      if (place === "behind others") await system.submit({ n: 1 });
      const { runId, envelope } = await system.submit({ n: 7 });
      const key = (name: string): string => store.keys.job("solo", name);
      const id = envelope.meta.message_id;
      await move(system, id);
      expect(await store.redis.del(key(id)), place).toBe(1);
      const others = [await system.submit({ n: 2 }), await system.submit({ n: 3 })];
      const running = await system.start({ lockMs: 1000, stalledIntervalMs: 200, concurrency: 1 });
      for (const other of others) expect((await system.until(other.runId)).status).toBe("completed");
      // The engine waits for 5 s where it believes that nothing is there.
      const beganMs = performance.now();
      for (let n = 10; n < 14; n += 1) {
        expect((await system.run({ n })).status).toBe("completed");
      }
      expect(performance.now() - beganMs, place).toBeLessThan(4500);
      expect((await system.until(runId, ["quarantined"])).status).toBe("quarantined");
      await expect
        .poll(async () => (await findCases(store, { filter: { run_id: runId }, limit: 10 })).cases)
        .toMatchObject([
          { message_id: id, status: "quarantined", diagnosis: "What was stored of it has been deleted." },
        ]);
      await expect.poll(() => heldIn(system, "solo")).toEqual([]);
      expect(calls).not.toContain(7);
      await running.stop(0);
    }
  });

  it("lets a handler at work end though its job was deleted meanwhile", async () => {
    const gate = Promise.withResolvers<void>();
    onTestFinished(() => gate.resolve());
    const solo = agent("solo@1", {
      accepts: Task,
      handle: async ({ n }, ctx) => {
        if (n === 7) await gate.promise;
        return ctx.complete(n);
      },
    });
    const system = createTestSystem(team("one", [solo]));
    const { store } = system;
    await system.start({ lockMs: 1000, stalledIntervalMs: 200 });
    const { runId, envelope } = await system.submit({ n: 7 });
    const key = store.keys.job("solo", envelope.meta.message_id);
    await expect.poll(() => store.redis.exists(`${key}:lock`)).toBe(1);
    await store.redis.del(key);
    expect((await system.run({ n: 1 })).status).toBe("completed");
    gate.resolve();
    expect(await system.until(runId)).toMatchObject({ status: "completed", result: 7 });
  });
});

describe("an outcome that meets a key of another type", () => {
  const first = agent("first@1", {
    accepts: Note,
    to: { second: Note },
    handle: async ({ n }, ctx) => ctx.handoff("second", { n: await ctx.step("count", () => n + 1) }),
  });
  const second = agent("second@1", { accepts: Note, handle: ({ n }, ctx) => ctx.complete(n) });
  const caseOf = async ({ store }: TestSystem, run_id: string) =>
    (await findCases(store, { filter: { run_id }, limit: 2 })).cases;

  it("waits for the ward with the reason where the receiver's queue is damaged, and the others go on", async () => {
    const system = createTestSystem(team("pair", [first, second]));
    const { store } = system;
    await store.redis.set(store.keys.job("second", "wait"), "not a list");
    await system.start({ only: ["first"] });
    const { runId } = await system.submit({ n: 1 });
    expect((await system.until(runId, ["in_ward"])).status).toBe("in_ward");
    await expect.poll(() => caseOf(system, runId)).toHaveLength(1);
    const [event] = (await store.runs.events(runId, { from: 0, limit: 50 })).filter(
      ({ type }) => type === "in_ward",
    );
    expect(event?.detail).toMatchObject({ code: "KEY_DAMAGED" });
    await store.redis.del(store.keys.job("second", "wait"));
    await system.start({ only: ["second"] });
    expect(await system.run({ n: 2 })).toMatchObject({ status: "completed", result: 3 });
  });

  it("is put aside alone where the run's own record is damaged", async () => {
    const system = createTestSystem(team("one", [second]));
    const { store } = system;
    const { runId } = await system.submit({ n: 1 });
    await store.redis.set(`${store.keys.run(runId)}:messages`, "not a hash");
    await system.start();
    const waits = [{ status: "quarantined" }];
    await expect.poll(() => caseOf(system, runId)).toMatchObject(waits);
    expect((await system.run({ n: 2 })).status).toBe("completed");
  });
});
