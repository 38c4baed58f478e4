import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";

/** Guarantee 5: a zombie, a worker that lost its lock, cannot commit over the one that took over. Fencing, not luck. */

const Job = contract("job@1", z.object({ n: z.number() }));

it("refuses the outcome, the steps and the effects of a worker that lost its lock", async () => {
  const gates: (() => void)[] = [];
  const refused: unknown[] = [];
  const effects: number[] = [];
  const recorded: number[] = [];
  const worker = agent("worker@1", {
    accepts: Job,
    handle: async (_input, ctx) => {
      const turn = gates.length;
      await new Promise<void>((resolve) => gates.push(resolve));
      try {
        await ctx.step("mark", () => turn);
        recorded.push(turn);
        await ctx.once("effect", async () => effects.push(turn));
      } catch (error) {
        refused.push(error);
        throw error;
      }
      return ctx.complete({ turn });
    },
  });
  const system = createTestSystem(team("solo", [worker]));
  // The engine renews a lock at half its life: far away, so that nothing but the fence can tell the first worker.
  await system.start({ lockMs: 600_000, stalledIntervalMs: 300 });
  const { runId, envelope } = await system.submit({ n: 1 });
  const id = envelope.meta.message_id;
  await expect.poll(() => gates.length).toBe(1);
  await system.store.redis.del(system.store.keys.lock("worker", id));
  await expect.poll(() => gates.length, { timeout: 60_000 }).toBe(2);
  gates[0]?.();
  await expect.poll(() => refused.length).toBe(1);
  expect(refused[0]).toMatchObject({ code: "LOCK_LOST" });
  expect((await system.store.runs.get(runId)).status).toBe("running");
  gates[1]?.();
  expect(await system.until(runId)).toMatchObject({ status: "completed", result: { turn: 1 } });
  expect(recorded).toEqual([1]);
  expect(effects).toEqual([1]);
});
