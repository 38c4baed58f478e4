import { Queue, Worker } from "bullmq";
import { pino } from "pino";
import { expect, onTestFinished, vi } from "vitest";
import { testPrefix, testRedisUrl } from "#shared/testing";
import { AttachedQueue } from "../attached/attached-queues.ts";

/** Contract of the data of the queue's jobs: the card is sensitive. */
export const ORDER = {
  type: "object",
  required: ["order", "amount", "paid"],
  additionalProperties: false,
  properties: {
    order: { type: "string" },
    amount: { type: "integer" },
    paid: { type: "boolean" },
    card: { type: "string", "x-sensitive": true },
    password: { type: "string" },
  },
};

/** A queue of orders as somebody has it, and what the console knows of it. */
export interface AttachedOrders {
  readonly queue: Queue;
  readonly attached: readonly AttachedQueue[];
  readonly fail: (...jobs: readonly object[]) => Promise<void>;
  readonly work: () => Promise<void>;
}

const PATIENCE = { timeout: 60_000, interval: 20 };

/** @param url - Redis of the queue. Default: that of the tests. */
export function openAttachedOrders(url = testRedisUrl(), answerMs = 5000): AttachedOrders {
  const shared = { prefix: testPrefix(), connection: { url, maxRetriesPerRequest: null } };
  const queue = new Queue("orders", shared);
  // A Redis that a test stops is an error of its connections, not of the test.
  queue.on("error", () => undefined);
  onTestFinished(
    async () => void (await Promise.race([queue.close(), new Promise((end) => setTimeout(end, 500))])),
  );
  const attached = [
    new AttachedQueue({
      url,
      prefix: shared.prefix,
      name: "orders",
      contract: { schema: ORDER },
      logger: pino({ level: "silent" }),
      answerMs,
    }),
  ];
  const work = async (): Promise<void> => {
    const worker = new Worker("orders", (job) => Promise.resolve(processOrder(job.data)), shared);
    await vi.waitFor(async () => {
      const { waiting = 0, active = 0 } = await queue.getJobCounts("waiting", "active");
      expect(waiting + active).toBe(0);
    }, PATIENCE);
    await worker.close();
  };
  const fail: AttachedOrders["fail"] = async (...jobs) => {
    await queue.addBulk(jobs.map((data) => ({ name: "order", data })));
    await work();
  };
  return { queue, attached, fail, work };
}

function processOrder(data: Readonly<Record<string, unknown>>): string {
  if (typeof data["amount"] !== "number") throw new Error(`amount "${String(data["amount"])}" is no number`);
  if (data["paid"] !== true) throw new Error(`order of card ${String(data["card"])} is not paid`);
  return "done";
}
