import { describe, expect, it } from "vitest";
import { loadConfig } from "#shared/config";
import { createTestSystem } from "#shared/testing";
import { spawnGateway, whenGone } from "../../tests/support/service-process.ts";
import { chainTeam } from "./testing/chain-team.ts";
import { cuttableRedis } from "./testing/cuttable-redis.ts";
import { SECRETS, startTestGateway } from "./testing/start-test-gateway.ts";

const TASK = { team: "gw-chain", input: { text: "hello" } };

/** With several tenants Redis is asked for their shares first, and a task that it does not answer is not sent. */
const ONE_TENANT = loadConfig({ SUTURE_API_KEYS: `a:admin:${SECRETS.admin}` }).apiKeys ?? [];

describe("a gateway whose Redis is away", () => {
  it("answers 503 with Retry-After at once, is not ready but alive, and goes on when Redis is back", async () => {
    const redis = await cuttableRedis();
    const gateway = await startTestGateway({ redisUrl: redis.url });
    expect((await gateway.send("/readyz")).status).toBe(200);
    redis.cut();
    await expect.poll(() => gateway.store.redis.status).not.toBe("ready");
    const startedMs = performance.now();
    const reply = await gateway.post("/v1/tasks", TASK);
    expect(performance.now() - startedMs).toBeLessThan(8000);
    expect(reply.status).toBe(503);
    expect(reply.headers.get("retry-after")).not.toBeNull();
    expect(await reply.json()).toMatchObject({ code: "unavailable" });
    expect(await (await gateway.send("/readyz")).json()).toMatchObject({ status: "store_unreachable" });
    expect((await gateway.send("/healthz")).status).toBe(200);
    for (const path of ["/v1/runs", "/v1/runs/x", "/v1/stats", "/v1/agents"]) {
      const read = await gateway.send(path);
      expect({ path, status: read.status, type: read.headers.get("content-type") }).toEqual({
        path,
        status: 503,
        type: "application/problem+json; charset=utf-8",
      });
    }
    redis.mend();
    await expect.poll(async () => (await gateway.post("/v1/tasks", TASK)).status).toBe(202);
  });

  it("says that it does not know when no answer came, and a repeat with the same key is the same run", async () => {
    const redis = await cuttableRedis();
    const gateway = await startTestGateway({ redisUrl: redis.url, parts: { apiKeys: ONE_TENANT } });
    await gateway.post("/v1/tasks", TASK);
    redis.silence();
    const key = { "idempotency-key": "k" };
    const reply = await gateway.post("/v1/tasks", TASK, key);
    expect(reply.status).toBe(503);
    expect(await reply.json()).toMatchObject({
      code: "acceptance_unknown",
      detail: expect.stringContaining("same Idempotency-Key"),
    });
    // It had arrived.
    expect(await gateway.system.store.runs.counts()).toMatchObject({ submitted: 2 });
    redis.mend();
    await expect.poll(async () => (await gateway.post("/v1/tasks", TASK, key)).status).toBe(202);
    expect(await gateway.system.store.runs.counts()).toMatchObject({ submitted: 2 });
    await gateway.system.start();
    await expect.poll(() => gateway.system.store.runs.counts()).toMatchObject({ completed: 2 });
  });
});

describe("the gateway as a process", () => {
  it("takes requests, and ends at once and cleanly on SIGTERM", async () => {
    const system = createTestSystem(chainTeam);
    const env = { SUTURE_API_KEYS: `a:admin:${SECRETS.admin}` };
    const running = await Promise.all([spawnGateway(system, env), spawnGateway(system, env)]);
    for (const { url } of running) {
      const reply = await fetch(`${url}/v1/teams`, { headers: { authorization: `Bearer ${SECRETS.admin}` } });
      expect(reply.status).toBe(200);
    }
    const startedMs = performance.now();
    for (const { child } of running) child.kill("SIGTERM");
    await Promise.all(running.map(({ child }) => whenGone(child)));
    expect(running.map(({ child }) => child.exitCode)).toEqual([0, 0]);
    expect(performance.now() - startedMs).toBeLessThan(9000);
  });
});
