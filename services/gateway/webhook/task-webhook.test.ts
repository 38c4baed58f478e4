import { createServer } from "node:net";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { listenLocally, startReceiver } from "#shared/testing";
import { answerOf, problemForm, startedForm } from "../testing/answer.ts";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const TASK = { team: "gw-chain", input: { text: "hello" } };

const eventForm = z.object({
  specversion: z.literal("1.0"),
  id: z.string(),
  source: z.string(),
  type: z.literal("suture.run.ended"),
  data: z.object({ run_id: z.string(), status: z.string(), result: z.unknown() }),
});

const open = async () => {
  const receiver = await startReceiver((text) => eventForm.parse(JSON.parse(text)));
  const pushHosts = new Set([receiver.host]);
  return { receiver, gateway: await startTestGateway({ parts: { pushHosts } }) };
};

/** Returns how often the webhook of a run was tried in vain. */
async function failuresOf({ store }: Awaited<ReturnType<typeof open>>["gateway"], runId: string) {
  const text = await store.webhooks.find(runId);
  return z.looseObject({ failures: z.number() }).parse(JSON.parse(text ?? "{}")).failures;
}

describe("a task's own webhook", () => {
  it("is told once of the run's end, signed, also after it was away", async () => {
    const { receiver, gateway } = await open();
    receiver.answers.push(503, 307);
    const webhook = { url: receiver.url, secret: SECRET };
    const { run_id } = await answerOf(gateway.post("/v1/tasks", { ...TASK, webhook }), startedForm);
    await gateway.system.start();
    await expect.poll(() => receiver.posts.length).toBe(1);
    const due = gateway.store.keys.webhooks();
    await expect.poll(() => gateway.store.redis.zcard(due)).toBe(0);
    expect(receiver.posts).toHaveLength(1);
    const [post] = receiver.posts;
    if (post === undefined) throw new Error("it was told nothing");
    const { text, headers, body } = post;
    const read: Record<string, string> = {};
    for (const [name, value] of Object.entries(headers)) read[name] = String(value);
    expect(new Webhook(SECRET).verify(text, read)).toEqual(JSON.parse(text));
    expect(headers["content-type"]).toContain("application/cloudevents+json");
    expect(body).toMatchObject({
      id: headers["webhook-id"],
      source: `/v1/runs/${run_id}`,
      data: { run_id, status: "completed", result: { length: 5 } },
    });
    const shown = await gateway.send(`/v1/runs/${run_id}`);
    expect(body.data).toEqual(eventForm.shape.data.parse(await shown.json()));
  });

  it("belongs to the one run of an idempotency key", async () => {
    const { receiver, gateway } = await open();
    const webhook = { url: receiver.url, secret: SECRET };
    const key = { "idempotency-key": "k-1" };
    for (let tries = 0; tries < 3; tries += 1) await gateway.post("/v1/tasks", { ...TASK, webhook }, key);
    await gateway.system.start();
    const due = gateway.store.keys.webhooks();
    await expect.poll(() => gateway.store.redis.zcard(due)).toBe(0);
    expect(receiver.posts).toHaveLength(1);
  });

  it("has a secret that is nowhere to be read", async () => {
    const { receiver, gateway } = await open();
    const webhook = { url: receiver.url, secret: SECRET };
    const { run_id } = await answerOf(gateway.post("/v1/tasks", { ...TASK, webhook }), startedForm);
    await gateway.system.start();
    await gateway.system.until(run_id);
    for (const path of [`/v1/runs/${run_id}`, `/v1/runs/${run_id}/events`, `/v1/runs/${run_id}/steps`]) {
      const text = await (await gateway.send(path)).text();
      expect(text, path).toContain(run_id);
      expect(text, path).not.toContain(SECRET.slice("whsec_".length));
      expect(text, path).not.toContain(receiver.host);
    }
  });

  it.each([
    ["https://127.0.0.1/hook", "/webhook/url"],
    ["https://169.254.169.254/latest/meta-data", "/webhook/url"],
    ["http://example.org/hook", "/webhook/url"],
    ["https://user:pass@example.org/hook", "/webhook/url"],
    ["file:///etc/passwd", "/webhook/url"],
    ["", "/webhook/url"],
  ])("is refused at %j, and nothing begins", async (url, pointer) => {
    const { gateway } = await open();
    const problem = await answerOf(gateway.post("/v1/tasks", { ...TASK, webhook: { url } }), problemForm);
    expect(problem.errors.map((error) => error.pointer)).toEqual([pointer]);
    expect(await gateway.store.runs.counts()).toMatchObject({ submitted: 0 });
  });

  it("does not reach a name that leads inside", async () => {
    let reached = 0;
    const inside = createServer((socket) => {
      reached += 1;
      socket.destroy();
    });
    const url = `https://localhost:${await listenLocally(inside)}/hook`;
    const { gateway } = await open();
    const { run_id } = await answerOf(gateway.post("/v1/tasks", { ...TASK, webhook: { url } }), startedForm);
    await gateway.system.start();
    await expect.poll(() => failuresOf(gateway, run_id)).toBeGreaterThan(0);
    expect(reached).toBe(0);
  });

  it("is told what the key that asked for it sees, and nothing once that is revoked", async () => {
    const { receiver, gateway } = await open();
    const shop = { name: "shop", tenant: "acme", scope: "submit", teams: null, quotas: {} } as const;
    const made = await gateway.store.apiKeys.add({ ...shop, expires_at: null }, "test");
    if (made.kind !== "added") throw new Error(made.kind);
    const submit = (key: string) => {
      const body = { ...TASK, webhook: { url: receiver.url } };
      return answerOf(gateway.post("/v1/tasks", body, { authorization: `Bearer ${key}` }), startedForm);
    };
    await expect.poll(async () => (await gateway.send("/v1/runs", { key: made.secret })).status).toBe(200);
    const revoked = await submit(made.secret);
    const kept = await submit(SECRETS.acme);
    await gateway.store.apiKeys.revoke("acme/shop");
    await expect.poll(async () => (await gateway.send("/v1/runs", { key: made.secret })).status).toBe(401);
    await gateway.system.start();
    await expect.poll(() => failuresOf(gateway, revoked.run_id)).toBeGreaterThan(0);
    await expect.poll(() => receiver.posts.length).toBe(1);
    const seen = await gateway.send(`/v1/runs/${kept.run_id}`, { key: SECRETS.acme });
    expect(receiver.posts[0]?.body.data).toEqual(eventForm.shape.data.parse(await seen.json()));
  });
});
