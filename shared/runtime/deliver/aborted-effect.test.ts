import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";

const Pay = contract("pay@1", z.object({ order: z.string() }));

describe("an effect whose handler runs out of time", () => {
  it("is not done again before the outside world was asked", async () => {
    const paid: string[] = [];
    let asked = 0;
    const payer = agent("payer@1", {
      accepts: Pay,
      handlerTimeoutMs: 300,
      handle: async ({ order }, ctx) => {
        const key = await ctx.once(
          `pay:${order}`,
          async (idempotencyKey, signal) => {
            paid.push(idempotencyKey);
            // The provider has paid; its answer is late. `fetch` rejects with the signal's reason, as here.
            if (paid.length === 1)
              await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
            return idempotencyKey;
          },
          {
            reconcile: async (idempotencyKey) => {
              asked += 1;
              return { done: true, value: idempotencyKey };
            },
          },
        );
        return ctx.complete({ key });
      },
    });
    const system = createTestSystem(team("payers", [payer]));
    await system.start();
    const { runId } = await system.submit({ order: "o-1" });
    expect((await system.until(runId)).status).toBe("completed");
    expect({ paid: paid.length, asked }).toEqual({ paid: 1, asked: 1 });
  });
});
