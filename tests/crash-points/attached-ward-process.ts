import { appendFileSync } from "node:fs";
import { Redis } from "ioredis";
import { z } from "zod";
import { BullmqWard } from "#shared/bullmq-ward";
import { armCrashPoint } from "#shared/crash-points";
import { ENGINES } from "#shared/bullmq-ward/testing";

/** A process beside a queue: `worker` works and notes each success in a file, `ward` sends repairs back. */
const [role = "", url = "", prefix = "", engineName = "", log = ""] = process.argv.slice(2);
const Order = z.strictObject({ order: z.string(), amount: z.int() });

const engine = ENGINES.find(([name]) => name === engineName)?.[1];
if (engine === undefined) throw new Error(`There is no engine ${engineName}.`);
armCrashPoint(process.env["SUTURE_CRASH_POINT"] ?? null);

const redis = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
redis.on("error", () => undefined);
const connection = { url, maxRetriesPerRequest: null, retryStrategy: () => 50 };

if (role === "worker") {
  const worker = new engine.Worker(
    "orders",
    (job) => {
      const order = Order.parse(job.data);
      appendFileSync(log, `${job.id ?? ""} ${JSON.stringify(order)}\n`);
      return Promise.resolve();
    },
    { connection, prefix, concurrency: 5 },
  );
  worker.on("error", () => undefined);
} else {
  const queue = new engine.Queue("orders", { connection, prefix });
  queue.on("error", () => undefined);
  const ward = new BullmqWard(queue, {
    redis,
    contract: { schema: Order },
    mode: "redrive",
    mayRepeatEffects: true,
  });
  await ward.run({ everyMs: 20, signal: new AbortController().signal, onError: () => undefined });
}
