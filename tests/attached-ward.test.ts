import { Cluster } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { BullmqWard } from "#shared/bullmq-ward";
import { ENGINES } from "#shared/bullmq-ward/testing";
import { openCluster } from "./support/open-cluster.ts";
import { untilTrue } from "./support/redis-servers.ts";

const Order = z.strictObject({ order: z.string(), amount: z.int() });

it("reads, repairs, sends back, keeps and detaches in a cluster whose prefix has a hash tag", async () => {
  const { low, high } = await openCluster();
  const nodes = [low, high].map(({ port }) => ({ host: "127.0.0.1", port }));
  const redis = new Cluster(nodes);
  const connection = new Cluster(nodes, { redisOptions: { maxRetriesPerRequest: null } });
  onTestFinished(() => [redis, connection].forEach((one) => one.disconnect()));
  for (const [index, [, engine]] of ENGINES.entries()) {
    const shared = { connection, prefix: `{bull-${index}}` };
    const queue = new engine.Queue("orders", shared);
    const ward = new BullmqWard(queue, {
      redis,
      contract: { schema: Order, at: "/payload" },
      mode: "redrive",
      mayRepeatEffects: true,
    });
    await queue.add("order", { payload: { order: "a", amount: "1" } });
    await queue.add("order", { payload: { order: "b", amount: 2 } }, { removeOnFail: true });
    const failing = new engine.Worker(
      "orders",
      ward.keep(() => Promise.reject(new Error("no"))),
      shared,
    );
    await untilTrue(
      async () => (await queue.getFailedCount()) === 1 && (await queue.getWaitingCount()) === 0,
    );
    await failing.close();
    expect(await ward.sweep()).toMatchObject({ cases: 1, redriven: 1 });
    for await (const kept of ward.kept())
      expect(await ward.sendKept(kept, { by: "ann" })).toMatchObject({ kind: "added" });
    const done: unknown[] = [];
    const worker = new engine.Worker("orders", (job) => Promise.resolve(done.push(job.data)), shared);
    await untilTrue(async () => (await queue.getCompletedCount()) === 2);
    expect(done).toEqual([{ payload: { order: "a", amount: 1 } }, { payload: { order: "b", amount: 2 } }]);
    await ward.detach({ onCase: () => undefined, onKept: () => undefined });
    const keys = await Promise.all([low, high].map(({ redis: node }) => node.keys("*suture-ward*")));
    expect(keys.flat()).toEqual([]);
    await worker.close();
    await queue.close();
  }
});
