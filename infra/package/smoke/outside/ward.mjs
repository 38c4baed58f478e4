// A queue with 500 jobs of which 60 failed in ten ways, as somebody else has it: grouped, proved ones sent back, the
// rest edited by hand, one edit undone, detached.

import assert from "node:assert/strict";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { BullmqWard } from "suture/bullmq";
import { z } from "zod";

const Order = z.strictObject({ order: z.string(), amount: z.int(), paid: z.boolean() });
const BY_RULES = [
  (n) => ({ order: `o${n}`, amount: String(n + 10), paid: true }),
  (n) => ({ order: `o${n}`, amount: n, paid: "true" }),
  (n) => ({ Order: `o${n}`, amount: n, paid: true }),
  (n) => JSON.stringify({ order: `o${n}`, amount: n, paid: true }),
  (n) => ({ data: { order: `o${n}`, amount: n, paid: false } }),
];
const BY_HAND = [
  (n) => ({ order: `o${n}`, amount: n }),
  (n) => ({ order: `o${n}`, paid: true }),
  () => ({ amount: 3, paid: true }),
  (n) => ({ order: `o${n}`, amount: [n], paid: true }),
  () => ({}),
];
const WITHIN_MS = 60_000;

const url = process.env.REDIS_URL;
const connection = { url, maxRetriesPerRequest: null };
const redis = new Redis(url);
const queue = new Queue("orders", { connection });
const succeeded = [];
const worker = new Worker(
  "orders",
  async (job) => {
    Order.parse(job.data);
    succeeded.push(job.id);
  },
  { connection, concurrency: 10 },
);

async function untilCounts(failed, completed) {
  const untilMs = Date.now() + WITHIN_MS;
  for (;;) {
    const counts = await queue.getJobCounts("failed", "completed");
    if (counts.failed === failed && counts.completed === completed) return;
    if (Date.now() > untilMs) assert.deepEqual(counts, { failed, completed });
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function listCases(ward) {
  const cases = [];
  for await (const one of ward.cases()) cases.push(one);
  return cases;
}

const sound = Array.from({ length: 440 }, (_, n) => ({ order: `s${n}`, amount: n, paid: true }));
const broken = [...BY_RULES, ...BY_HAND].flatMap((kind) => Array.from({ length: 6 }, (_, n) => kind(n)));
await queue.addBulk([...sound, ...broken].map((data) => ({ name: "order", data })));
await untilCounts(60, 440);

const watching = await new BullmqWard(queue, { redis, contract: { schema: Order } }).sweep();
assert.deepEqual(
  watching.groups.map(({ count }) => count),
  Array.from({ length: 10 }, () => 6),
);
assert.equal(watching.redriven, 0);

const options = { redis, contract: { schema: Order }, mode: "redrive", mayRepeatEffects: true };
const ward = new BullmqWard(queue, options);
assert.equal((await ward.sweep()).redriven, 30);
await untilCounts(30, 470);

for (const one of await listCases(ward))
  await ward.edit(one, '{"order":"by hand","amount":1,"paid":true}', "ann");
const [kept, ...others] = await listCases(ward);
assert.equal(await ward.undo(kept.id, "ann"), "undone");
for (const one of others) await ward.redrive(one, { by: "ann" });
await untilCounts(1, 499);
assert.equal(new Set(succeeded).size, 499);
assert.equal(succeeded.length, 499);

const exported = [];
await ward.detach({ onCase: (one) => void exported.push(one.id), onKept: () => undefined });
assert.deepEqual(exported, [kept.id]);
assert.deepEqual(await redis.keys("*suture-ward*"), []);

await worker.close();
await queue.obliterate({ force: true });
await queue.close();
redis.disconnect();
