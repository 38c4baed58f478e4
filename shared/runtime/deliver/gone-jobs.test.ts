import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { SutureError } from "#shared/errors";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";

class Flaky extends SutureError {
  constructor() {
    super({ code: "FLAKY", failureClass: "transient", message: "not now", remedy: "wait" });
  }
}

const Note = contract("note@1", z.object({ n: z.number(), fails: z.boolean().default(false) }));

function openTestSystem(options: Parameters<typeof createTestSystem>[1] = {}) {
  const calls: number[] = [];
  const solo = agent("solo@1", {
    accepts: Note,
    handle: ({ n, fails }, ctx) => {
      const isFirst = !calls.includes(n);
      calls.push(n);
      if (fails && isFirst) throw new Flaky();
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

/** Moves an id that waits to where the engine keeps others. */
const MOVES: Readonly<Record<string, (system: TestSystem, id: string) => Promise<unknown>>> = {
  waiting: () => Promise.resolve(),
  "behind others": () => Promise.resolve(),
  prioritized: async ({ store }, id) => {
    await store.redis.lrem(store.keys.job("solo", "wait"), 1, id);
    await store.redis.zadd(store.keys.job("solo", "prioritized"), 1, id);
  },
  delayed: async ({ store }, id) => {
    await store.redis.lrem(store.keys.job("solo", "wait"), 1, id);
    await store.redis.zadd(store.keys.job("solo", "delayed"), 1, id);
  },
  "taken by a process that died": async ({ store }, id) => {
    await store.redis.lrem(store.keys.job("solo", "wait"), 1, id);
    await store.redis.lpush(store.keys.job("solo", "active"), id);
  },
};

it(
  "settles a job whose data was deleted wherever its id lies, and holds up no other",
  { timeout: 60_000 },
  async () => {
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
        const next = await system.submit({ n });
        expect((await system.until(next.runId)).status).toBe("completed");
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
  },
);

it("lets a handler at work end though its job was deleted meanwhile", async () => {
  const gate = Promise.withResolvers<void>();
  onTestFinished(() => gate.resolve());
  const solo = agent("solo@1", {
    accepts: Note,
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
  const other = await system.submit({ n: 1 });
  expect((await system.until(other.runId)).status).toBe("completed");
  gate.resolve();
  expect(await system.until(runId)).toMatchObject({ status: "completed", result: 7 });
});
