// A Nest application with a ward on its queue.

import assert from "node:assert/strict";
import { BullModule, getQueueToken } from "@nestjs/bullmq";
import { NestFactory } from "@nestjs/core";
import { Worker } from "bullmq";
import { BullmqWardModule } from "suture/bullmq/nest";
import { z } from "zod";

const WITHIN_MS = 60_000;
const url = process.env.REDIS_URL;
const connection = { url, maxRetriesPerRequest: null };
const imports = [
  BullModule.forRoot({ connection }),
  BullModule.registerQueue({ name: "bills" }),
  BullmqWardModule.register({
    queue: "bills",
    redis: url,
    contract: { schema: z.strictObject({ amount: z.int() }) },
    mode: "redrive",
    mayRepeatEffects: true,
    everyMs: 10,
  }),
];
const app = await NestFactory.createApplicationContext({ module: BullmqWardModule, imports }, { logger: false });
const queue = app.get(getQueueToken("bills"), { strict: false });
const done = [];
const worker = new Worker(
  "bills",
  async ({ data }) => {
    if (typeof data.amount !== "number") throw new Error("amount is no number");
    done.push(data);
  },
  { connection },
);
await queue.add("bill", { amount: "7" });
const untilMs = Date.now() + WITHIN_MS;
while (done.length === 0 && Date.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, 20));
assert.deepEqual(done, [{ amount: 7 }]);
await worker.close();
await app.close();
