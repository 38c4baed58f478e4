import { BullModule, getQueueToken } from "@nestjs/bullmq";
import { NestFactory } from "@nestjs/core";
import { Worker } from "bullmq";
import type { Queue } from "bullmq";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { testPrefix, testRedisUrl } from "#shared/testing";
import type { BullmqWard, SweepReport } from "../index.ts";
import { eventually } from "../testing/open-bench.ts";
import { BullmqWardModule, getWardToken } from "./index.ts";

it("attaches a ward in a Nest application, which sends proved repairs back until the application ends", async () => {
  const prefix = testPrefix();
  const connection = { url: testRedisUrl(), maxRetriesPerRequest: null };
  const sweeps: SweepReport[] = [];
  const app = await NestFactory.createApplicationContext(
    {
      module: BullmqWardModule,
      imports: [
        BullModule.forRoot({ connection, prefix }),
        BullModule.registerQueue({ name: "orders" }, { name: "bills" }),
        BullmqWardModule.register({
          queue: "orders",
          redis: testRedisUrl(),
          contract: { schema: z.strictObject({ amount: z.int() }) },
          mode: "redrive",
          mayRepeatEffects: true,
          everyMs: 10,
          onSweep: (report) => void sweeps.push(report),
        }),
        BullmqWardModule.register({ queue: "bills", redis: testRedisUrl() }),
      ],
    },
    { logger: false },
  );
  const queue = app.get<Queue>(getQueueToken("orders"), { strict: false });
  const done: unknown[] = [];
  const worker = new Worker(
    "orders",
    (job) => {
      if (typeof job.data.amount !== "number") throw new Error("amount is no number");
      return Promise.resolve(done.push(job.data));
    },
    { connection, prefix },
  );
  onTestFinished(async () => worker.close());
  await queue.add("order", { amount: "7" });
  await eventually(() => Promise.resolve(expect(done).toEqual([{ amount: 7 }])));
  const bills = app.get<BullmqWard>(getWardToken("bills"), { strict: false });
  expect(await bills.sweep()).toMatchObject({ cases: 0 });
  await app.close();
  const count = sweeps.length;
  expect(sweeps.reduce((sum, { redriven }) => sum + redriven, 0)).toBe(1);
  await worker.close();
  expect(sweeps).toHaveLength(count);
});
