import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadConfig } from "#shared/config";
import { createMaster, issueKeyring } from "#shared/envelope/keys";
import { edgesOf } from "#shared/runtime";
import { loadTeams } from "#shared/runtime/process";
import { testPrefix, testRedisUrl, temporaryFolder } from "#shared/testing";
import { answerOf, startedForm } from "./testing/answer.ts";
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

describe("a gateway that dies after accepting", () => {
  it("loses nothing: the first message is in its queue by the same script", async () => {
    const gateway = await startTestGateway();
    const { run_id } = await answerOf(gateway.post("/v1/tasks", TASK), startedForm);
    await gateway.system.start();
    expect(await gateway.system.until(run_id)).toMatchObject({ status: "completed" });
  });
});

/** The real process, with a folder of its own. */
async function startProcess(dataDir: string, prefix: string) {
  const child = spawn(process.execPath, ["services/gateway/main.ts"], {
    env: {
      ...process.env,
      REDIS_URL: testRedisUrl(),
      SUTURE_PREFIX: prefix,
      SUTURE_DATA_DIR: dataDir,
      SUTURE_GATEWAY_PORT: "0",
      SUTURE_API_KEYS: `a:admin:${SECRETS.admin}`,
      LOG_LEVEL: "info",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const url = await new Promise<string>((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += String(chunk);
      const found = /"url":"([^"]+)"/.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exited.then((code) => reject(new Error(`ended with ${code} before it listened`)));
  });
  return { child, url, exited };
}

describe("the gateway as a process", () => {
  it("takes requests, and ends at once and cleanly on SIGTERM", async () => {
    const dataDir = temporaryFolder();
    const edges = edgesOf(await loadTeams("services/agents"));
    const keyring = issueKeyring({ master: createMaster(), agent: "gateway", edges });
    await mkdir(join(dataDir, "keys"), { mode: 0o700 });
    await writeFile(join(dataDir, "keys", "gateway.json"), keyring.exportJson(), { mode: 0o600 });
    const prefix = testPrefix();
    const running = await Promise.all([startProcess(dataDir, prefix), startProcess(dataDir, prefix)]);
    for (const { url } of running) {
      const reply = await fetch(`${url}/v1/teams`, { headers: { authorization: `Bearer ${SECRETS.admin}` } });
      expect(reply.status).toBe(200);
    }
    const startedMs = performance.now();
    for (const { child } of running) child.kill("SIGTERM");
    expect(await Promise.all(running.map(({ exited }) => exited))).toEqual([0, 0]);
    expect(performance.now() - startedMs).toBeLessThan(9000);
  });
});
