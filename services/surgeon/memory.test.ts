import { expect, it } from "vitest";
import { openSurgeonTestSystem } from "./testing/surgeon-test-system.ts";

const MESSAGE = { order_id: "A-1001", seats: 2 };

it("keeps what the ledger knows of a message as long as the message waits for a person", async () => {
  let calls = 0;
  const system = await openSurgeonTestSystem({
    handle: async (_input, ctx) => {
      await ctx.step("paid", () => (calls += 1));
      throw new Error("the handler's own fault");
    },
  });
  const { store } = system;
  await system.start();
  const { runId, envelope } = await system.submit(MESSAGE);
  await system.until(runId, ["in_ward", "quarantined"]);
  const book = store.keys.ledger("desk", envelope.meta.message_id);
  // The settled message's book entry is about to reach its end.
  await store.redis.pexpire(book, 60_000);
  expect(await store.redis.pttl(book)).toBeLessThanOrEqual(60_000);
  system.startSurgeon();
  await system.untilCase(runId, (one) => one.status === "quarantined");
  await expect.poll(() => store.redis.pttl(book), { timeout: 60_000 }).toBeGreaterThan(60_000);
  expect(await store.redis.hget(book, "s:step/paid")).toBe("1");
  expect(calls).toBe(1);
});
