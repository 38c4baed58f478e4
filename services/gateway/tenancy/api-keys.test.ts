import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { NewApiKey } from "#shared/config";
import { answerOf, problemForm, startedForm } from "../testing/answer.ts";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";

const TASK = { team: "gw-chain", input: { text: "hello" } };
async function make(gateway: TestGateway, more: Partial<NewApiKey> = {}): Promise<string> {
  const shop = {
    name: "shop",
    tenant: "acme",
    scope: "submit",
    teams: null,
    quotas: {},
    expires_at: null,
  } as const;
  const made = await gateway.store.apiKeys.add({ ...shop, ...more }, "test");
  return made.kind === "added" ? made.secret : "";
}

const submit = (gateway: TestGateway, secret: string, body: object = TASK): Promise<Response> =>
  gateway.post("/v1/tasks", body, { authorization: `Bearer ${secret}` });

const revoke = (gateway: TestGateway): Promise<boolean> => gateway.store.apiKeys.revoke("acme/shop");

describe("an API key that is made while the gateway runs", () => {
  it("works at once, for its tenant, and its secret is kept nowhere", async () => {
    const gateway = await startTestGateway();
    const secret = await make(gateway);
    const { run_id } = await answerOf(submit(gateway, secret), startedForm);
    expect(await gateway.store.runs.get(run_id)).toMatchObject({ tenant: "acme" });
    expect((await gateway.send(`/v1/runs/${run_id}`, { key: SECRETS.globex })).status).toBe(404);
    const { redis, keys } = gateway.store;
    const held = JSON.stringify([
      await redis.hgetall(keys.door("api-keys")),
      await redis.hgetall(keys.door("api-keys:names")),
    ]);
    expect(held).not.toContain(secret);
    expect(held).toContain(createHash("sha256").update(secret).digest("hex"));
    expect(secret.length).toBeGreaterThan(43);
  });

  it("works at another gateway within a second, and once revoked at neither", async () => {
    const gateway = await startTestGateway();
    const other = await startTestGateway({ store: { prefix: gateway.store.options.prefix } });
    const secret = await make(gateway);
    const status = async (at: TestGateway): Promise<number> =>
      (await at.send("/v1/runs", { key: secret })).status;
    await expect.poll(() => status(other)).toBe(200);
    expect(await revoke(gateway)).toBe(true);
    expect(await status(gateway)).toBe(401);
    await expect.poll(() => status(other)).toBe(401);
    expect(await revoke(gateway)).toBe(false);
    // The name is free again, for another secret.
    await make(gateway);
    expect(await status(gateway)).toBe(401);
  });

  it("is answered the same once it is revoked as if it had never been", async () => {
    const gateway = await startTestGateway({ bounds: { failuresBurst: 1000 } });
    const secret = await make(gateway);
    await revoke(gateway);
    const tell = async (key: string): Promise<string> => {
      const reply = await gateway.send("/v1/runs", { key });
      return (await reply.text()).replace(/"trace_id":"[^"]*"/, "");
    };
    expect(await tell(secret)).toBe(await tell(`suture_${"x".repeat(43)}`));
    expect(await tell(secret)).toContain('"code":"unauthorised"');
  });

  it("is refused in clear words when it has expired", async () => {
    const gateway = await startTestGateway();
    const secret = await make(gateway, { expires_at: new Date(Date.now() + 700).toISOString() });
    expect((await submit(gateway, secret)).status).toBe(202);
    await expect.poll(async () => (await submit(gateway, secret)).status).toBe(401);
    expect(await (await submit(gateway, secret)).json()).toMatchObject({
      code: "key_expired",
      detail: expect.stringContaining("has expired"),
    });
  });

  it.each(["is revoked", "expires"])("sees no more of what it waits for once it %s", async (how) => {
    const gateway = await startTestGateway({ bounds: { recheckEveryMs: 100 } });
    const expires_at = new Date(Date.now() + (how === "expires" ? 1500 : 60_000)).toISOString();
    const secret = await make(gateway, { expires_at });
    const { run_id } = await answerOf(submit(gateway, secret), startedForm);
    const followed = await gateway.send(`/v1/runs/${run_id}/events`, { key: secret });
    const reader = followed.body?.getReader();
    await reader?.read();
    const waited = gateway.send(`/v1/runs/${run_id}?wait=10`, { key: secret });
    // Until it waits: before, the revoked key would be refused at the door.
    const step = gateway.send(`/ap/v1/agent/tasks/${run_id}/steps`, { method: "POST", key: secret });
    const metrics = async (): Promise<string> => (await gateway.send("/metrics")).text();
    await expect.poll(metrics).toContain("suture_gateway_waiters 3");
    if (how === "is revoked") await revoke(gateway);
    const startedMs = performance.now();
    for (let ended = false; !ended;) ended = (await reader?.read())?.done ?? true;
    expect((await waited).status).toBe(401);
    expect((await step).status).toBe(401);
    expect(performance.now() - startedMs).toBeLessThan(8000);
  });

  it("neither uses nor sees a team that it may not use", async () => {
    const gateway = await startTestGateway();
    const secret = await make(gateway, { teams: ["gw-chain"] });
    const { run_id } = await answerOf(submit(gateway, secret), startedForm);
    const key = await make(gateway, { name: "other", scope: "operator", teams: ["elsewhere"] });
    const { errors } = await answerOf(submit(gateway, key), problemForm);
    expect(errors).toMatchObject([
      { pointer: "/team", code: "unknown_team", message: "known teams are none" },
    ]);
    const handoff = { target_agent: "gw-first", contract: "gw.note@2", data_payload: { text: "x" } };
    const sent = await gateway.post("/v1/handoffs", handoff, { authorization: `Bearer ${key}` });
    expect(await answerOf(sent, problemForm)).toMatchObject({ errors: [{ code: "unknown_agent" }] });
    const created = { input: "x", additional_input: { team: "gw-chain" } };
    const asked = await gateway.post("/ap/v1/agent/tasks", created, { authorization: `Bearer ${key}` });
    expect(asked.status).toBe(422);
    for (const path of ["", "/events", "/cancel", "/replay"]) {
      const method = path === "/cancel" || path === "/replay" ? "POST" : "GET";
      expect((await gateway.send(`/v1/runs/${run_id}${path}`, { key, method })).status, path).toBe(404);
    }
    expect(await (await gateway.send("/v1/runs", { key })).json()).toMatchObject({ runs: [] });
    expect(await (await gateway.send("/v1/teams", { key })).json()).toEqual({ teams: [] });
    expect((await gateway.send("/v1/contracts/gw.note@2", { key })).status).toBe(404);
  });
});

describe("a quota", () => {
  const over = async (reply: Response): Promise<string | undefined> => {
    expect(reply.status).toBe(429);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    const problem = await answerOf(
      reply,
      z.looseObject({ code: z.string(), errors: z.array(z.looseObject({ code: z.string() })) }),
    );
    expect(problem.code).toBe("quota_exceeded");
    return problem.errors[0]?.code;
  };

  it.each(["running_runs", "waiting_runs"])(
    "of %s holds against 50 tasks at once at two gateways",
    async (quota) => {
      const gateway = await startTestGateway();
      const other = await startTestGateway({ store: { prefix: gateway.store.options.prefix } });
      const secret = await make(gateway, { quotas: { [quota]: 5 } });
      await other.store.apiKeys.refresh();
      const replies = await Promise.all(
        Array.from({ length: 50 }, (_, n) => submit(n % 2 === 0 ? gateway : other, secret)),
      );
      expect(replies.filter(({ status }) => status === 202)).toHaveLength(5);
      for (const reply of replies.filter(({ status }) => status !== 202))
        expect(await over(reply)).toBe(quota);
      // Another key of the tenant has its own.
      expect((await submit(gateway, SECRETS.acme)).status).toBe(202);
      await gateway.system.start();
      await expect.poll(async () => (await submit(gateway, secret)).status).toBe(202);
    },
  );

  it("of running runs is given back by a run however it ends, and by one whose record was removed", async () => {
    const gateway = await startTestGateway({ bounds: { retireEveryMs: 100 } });
    const secret = await make(gateway, { quotas: { running_runs: 1 } });
    const { run_id } = await answerOf(submit(gateway, secret), startedForm);
    expect(await over(await submit(gateway, secret))).toBe("running_runs");
    expect((await gateway.send(`/v1/runs/${run_id}/cancel`, { method: "POST" })).status).toBe(200);
    const agents = await gateway.system.start();
    await gateway.system.until(run_id);
    const next = await answerOf(submit(gateway, secret), startedForm);
    await gateway.system.until(next.run_id);
    await agents.stop(0);
    const lost = await answerOf(submit(gateway, secret), startedForm);
    await gateway.store.redis.del(gateway.store.keys.run(lost.run_id));
    await expect.poll(async () => (await submit(gateway, secret)).status).toBe(202);
  });

  it("of requests a minute counts over all gateways", async () => {
    const gateway = await startTestGateway();
    const other = await startTestGateway({ store: { prefix: gateway.store.options.prefix } });
    const secret = await make(gateway, { quotas: { requests_per_minute: 6 } });
    await other.store.apiKeys.refresh();
    const replies: Response[] = [];
    for (let n = 0; n < 13; n += 1)
      replies.push(await (n % 2 === 0 ? gateway : other).send("/v1/runs", { key: secret }));
    // The minute of the clock may change once meanwhile.
    const passed = replies.filter(({ status }) => status === 200).length;
    expect([6, 7, 8, 9, 10, 11, 12]).toContain(passed);
    const refused = replies.find(({ status }) => status === 429);
    expect(refused && (await over(refused))).toBe("requests_per_minute");
  });

  it("of money a day holds once it is spent", async () => {
    const gateway = await startTestGateway();
    const secret = await make(gateway, { quotas: { cost_per_day: 0.05 } });
    const { run_id, message_id } = await answerOf(submit(gateway, secret), startedForm);
    const at = new Date().toISOString();
    const event = { id: "paid", run_id, type: "retry", at, agent: "gw-first" } as const;
    await gateway.store.journal.apply([{ event: { ...event, message_id, detail: {} }, cost: 0.04 }]);
    expect((await submit(gateway, secret)).status).toBe(202);
    await gateway.store.journal.apply([
      { event: { ...event, id: "paid2", message_id, detail: {} }, cost: 0.01 },
    ]);
    expect(await over(await submit(gateway, secret))).toBe("cost_per_day");
    expect((await submit(gateway, SECRETS.acme)).status).toBe(202);
  });

  it("of one tenant leaves room for the others", async () => {
    const gateway = await startTestGateway({ parts: { queueLimit: 20, tenantShare: 0.5 } });
    const flood = await Promise.all(Array.from({ length: 30 }, () => submit(gateway, SECRETS.acme)));
    expect(flood.filter(({ status }) => status === 202)).toHaveLength(10);
    const refused = flood.find(({ status }) => status === 429);
    expect(refused && (await over(refused))).toBe("tenant_share");
    const others = await Promise.all(Array.from({ length: 10 }, () => submit(gateway, SECRETS.globex)));
    expect(others.every(({ status }) => status === 202)).toBe(true);
  });
});
