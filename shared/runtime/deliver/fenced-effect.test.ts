import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem, testRedis } from "#shared/testing";

const Note = contract("note@1", z.object({ text: z.string() }));

it("begins no effect for a worker whose message is another's by now", async () => {
  const redis = testRedis();
  let deliveries = 0;
  const actedIn: number[] = [];
  const last = agent("last@1", {
    accepts: Note,
    handle: async (_, ctx) => {
      deliveries += 1;
      const delivery = deliveries;
      if (delivery === 1) {
        const { message_id } = ctx.envelope.meta;
        await redis.set(system.store.keys.lock("last", message_id), "another worker's", "PX", 300);
      }
      await ctx.once("charge", async () => {
        actedIn.push(delivery);
        return Promise.resolve({ charged: true });
      });
      return ctx.complete({ deliveries });
    },
  });
  const system = createTestSystem(team("one", [last]));
  await system.start();
  const { runId } = await system.submit({ text: "x" });
  expect(await system.until(runId)).toMatchObject({ status: "completed", result: { deliveries: 2 } });
  expect(actedIn).toEqual([2]);
  redis.disconnect();
});
