import { describe, expect, it } from "vitest";
import { createTestSystem } from "#shared/testing";
import { spawnGateway, whenGone } from "../../tests/support/service-process.ts";
import { chainTeam } from "./testing/chain-team.ts";
import { cuttableRedis } from "./testing/cuttable-redis.ts";
import { SECRETS, startTestGateway } from "./testing/start-test-gateway.ts";

const TASK = { team: "gw-chain", input: { text: "hello" } };

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
