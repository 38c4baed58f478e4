import { EventEmitter } from "node:events";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { Consumer } from "#shared/store/queues";
import { createTestSystem } from "#shared/testing";

const Note = contract("note@1", z.object({ text: z.string() }));

it("does not finish a message whose lock was said to be lost while it was still held", async () => {
  const started = vi.spyOn(Consumer.prototype, "start");
  let deliveries = 0;
  const last = agent("last@1", {
    accepts: Note,
    handle: async (_, ctx) => {
      deliveries += 1;
      if (deliveries === 1) {
        // A late reply to the renewal of an earlier delivery's lock, in the same worker, names this very job.
        // The engine's worker is the one field of a consumer that emits events.
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
  const system = createTestSystem(team("one", [last]));
  await system.start();
  const { runId } = await system.submit({ text: "x" });
  expect(await system.until(runId)).toMatchObject({ status: "completed", result: { deliveries: 2 } });
});
