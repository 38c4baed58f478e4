import { Redis } from "ioredis";
import { expect, it } from "vitest";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import { Provider } from "./support/payment-provider.ts";
import { startOwnRedis, startReplica, startSentinel, untilTrue } from "./support/redis-servers.ts";

/** `npm run drill sentinel`: the master dies in the middle of work, and the sentinels promote a replica. */

const TASKS = 400;

it("loses no accepted task and pays each order once when the sentinels promote a replica", async () => {
  const master = await startOwnRedis();
  const replicas = [await startReplica(master.port), await startReplica(master.port)];
  const sentinel = await startSentinel(master.port);
  const asked = new Redis({ port: sentinel });
  await untilTrue(
    async () =>
      ((await asked.call("SENTINEL", "REPLICAS", "mymaster")) as unknown[]).length === replicas.length,
  );
  asked.disconnect();
  const provider = new Provider();
  const url = `redis-sentinel://127.0.0.1:${sentinel}/mymaster`;
  const gateway = await startTestGateway({
    team: provider.team({ asks: true }),
    store: { url, replication: { replicasMin: 1, waitMs: 500 } },
  });
  const { system } = gateway;
  await system.start({ concurrency: 4 });
  /** As a client does: again with the same key until it is accepted. */
  const submit = async (order: string): Promise<string> => {
    const body = { team: "shop", input: { order } };
    for (;;) {
      const answer = await gateway.post("/v1/tasks", body, { "idempotency-key": order });
      if (answer.status === 202) return ((await answer.json()) as { run_id: string }).run_id;
      expect(answer.status, await answer.text()).toBe(503);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const accepted = Promise.all(Array.from({ length: TASKS }, (_, n) => submit(`order-${n}`)));
  await untilTrue(async () => provider.payments.length >= TASKS / 4);
  const killedMs = performance.now();
  await master.kill();
  const paidBefore = provider.payments.length;
  const runs = await accepted;
  expect(new Set(runs).size).toBe(TASKS);
  for (const runId of runs) expect(await system.until(runId)).toMatchObject({ status: "completed" });
  expect(provider.payments.length).toBe(TASKS);
  expect(new Set(provider.payments.map(({ order }) => order)).size).toBe(TASKS);
  expect(paidBefore).toBeLessThan(TASKS);
  const stats = (): Promise<unknown> => gateway.send("/v1/stats").then((answer) => answer.json());
  await expect
    .poll(stats)
    .toMatchObject({ equation: { submitted: TASKS, completed: TASKS, waiting: 0, lost: 0, balanced: true } });
  const seconds = Math.round((performance.now() - killedMs) / 100) / 10;
  process.stdout.write(`${JSON.stringify({ runs: TASKS, paidBefore, payments: TASKS, seconds })}\n`);
});
