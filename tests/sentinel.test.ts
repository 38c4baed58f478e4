import { expect, it } from "vitest";
import { openOfficeDeployment } from "./support/office-deployment.ts";
import { startOwnRedis, startReplica, startSentinel, untilTrue } from "./support/redis-servers.ts";

it("goes on with the promoted replica when the sentinels have declared the master dead", async () => {
  const master = await startOwnRedis();
  const replica = await startReplica(master.port);
  const sentinel = await startSentinel(master.port);
  const { Redis } = await import("ioredis");
  const asked = new Redis({ port: sentinel });
  await untilTrue(async () => {
    const replicas = (await asked.call("SENTINEL", "REPLICAS", "mymaster")) as unknown[];
    return replicas.length === 1;
  });
  asked.disconnect();
  const { system, gateway, order, end } = await openOfficeDeployment({
    url: `redis-sentinel://127.0.0.1:${sentinel}/mymaster`,
    replication: null,
  });
  const before = await order("before");
  await end(before);
  await untilTrue(async () => (await master.redis.call("WAIT", 1, 1000)) === 1);
  await master.kill();
  await untilTrue(async () => (await replica.redis.info("replication")).includes("role:master"));
  await untilTrue(async () => (await gateway.send("/readyz")).status === 200);
  // The record of the run that had ended is there, and new ones go all the way, through the ward as well.
  expect((await system.until(before)).status).toBe("completed");
  for (const runId of [await order("after"), await order("after-broken", { broken: true })]) await end(runId);
}, 120_000);
