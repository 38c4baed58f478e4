import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { SECRETS, startTestGateway } from "../testing/start-test-gateway.ts";
import { answerOf, problemForm, startedForm } from "../testing/answer.ts";

const echoing = team("gw-tier", [
  agent("gw-tier-echo@1", {
    accepts: contract("gw.tier@1", z.strictObject({ text: z.string() })),
    handle: (_, ctx) => ctx.complete({ tier: ctx.envelope.user_context.subscription_tier }),
  }),
]);

const TASK = { team: "gw-chain", input: { text: "hello" } };

describe("POST /v1/tasks", () => {
  it("repeats no more than a part of a long name or text of its sender in what it refuses", async () => {
    const gateway = await startTestGateway();
    const key = "k-".repeat(500);
    const repeated = new RegExp(`(?:k-){50}`);
    for (const body of [
      { ...TASK, [key]: 1 },
      { ...TASK, team: key },
      { ...TASK, input: { text: "a", [key]: { [key]: 1 } } },
      { ...TASK, constraints: { [key]: 1 } },
      { ...TASK, input: key },
    ]) {
      const reply = await gateway.post("/v1/tasks", body);
      expect(await reply.text()).not.toMatch(repeated);
    }
    for (const headers of [{ "idempotency-key": key }, { authorization: `Bearer ${key}` }]) {
      const reply = await gateway.post("/v1/tasks", TASK, headers);
      expect(reply.status).toBeGreaterThanOrEqual(400);
      expect(await reply.text()).not.toMatch(repeated);
    }
  });

  it("accepts a task, and its run completes with the user's words unchanged", async () => {
    const gateway = await startTestGateway();
    await gateway.system.start();
    const reply = await gateway.post("/v1/tasks", {
      ...TASK,
      user: { user_id: "u_1", subscription_tier: "enterprise", locale: "de-DE", preferences: {} },
      priority: "high",
      constraints: { max_cost_usd: 0.4 },
      budget: { cost_limit: 0.5, token_limit: 10 },
      ttl_ms: 60_000,
      max_hops: 3,
    });
    expect(reply.status).toBe(202);
    const started = await answerOf(reply, startedForm);
    expect(started).toMatchObject({ status_url: `/v1/runs/${started.run_id}` });
    const run = await gateway.system.until(started.run_id);
    expect(run).toMatchObject({ status: "completed", trace_id: started.trace_id });
    expect(run.result).toMatchObject({
      length: 5,
      query: "hello",
      meta: { max_hops: 3, trace_id: started.trace_id },
    });
  });

  it.each([
    ["admin", "enterprise"],
    ["submit", null],
  ] as const)("takes what the key of a %s says of the user's tier as %s", async (key, tier) => {
    const gateway = await startTestGateway({ team: echoing });
    await gateway.system.start();
    const body = {
      team: "gw-tier",
      input: { text: "a" },
      user: { user_id: "u", subscription_tier: "enterprise" },
    };
    const reply = await gateway.post("/v1/tasks", body, { authorization: `Bearer ${SECRETS[key]}` });
    const { run_id } = await answerOf(reply, startedForm);
    expect((await gateway.system.until(run_id)).result).toEqual({ tier });
  });

  it.each([
    ["a field of the input is missing", { team: "gw-chain", input: {} }, "/input/text"],
    ["the input means nothing", { team: "gw-chain", input: { text: "nonsense" } }, "/input/text"],
    ["the team is unknown", { team: "nobody", input: {} }, "/team"],
    ["a field is unknown", { ...TASK, colour: 1 }, "/colour"],
    [
      "a webhook's secret is weak",
      { ...TASK, webhook: { url: "https://example.org", secret: "whsec_aGk=" } },
      "/webhook/secret",
    ],
  ])("refuses with the place when %s", async (_why, body, pointer) => {
    const gateway = await startTestGateway();
    const reply = await gateway.post("/v1/tasks", body);
    expect(reply.status).toBe(422);
    expect(reply.headers.get("content-type")).toContain("application/problem+json");
    const problem = await answerOf(reply, problemForm);
    expect(problem.errors.map((error) => error.pointer)).toContain(pointer);
    expect(problem).toMatchObject({ status: 422, type: `urn:suture:problem:${problem.code}` });
    expect(await gateway.system.store.runs.counts()).toMatchObject({ submitted: 0 });
  });

  it("says under which pointer content hides that must travel by reference", async () => {
    const gateway = await startTestGateway();
    const reply = await gateway.post("/v1/tasks", {
      team: "gw-chain",
      input: { text: randomBytes(3000).toString("base64") },
    });
    expect(reply.status).toBe(422);
    expect(await reply.json()).toMatchObject({
      code: "envelope_base64_blob",
      errors: [{ pointer: "/input/text" }],
    });
  });

  it("starts one run for one Idempotency-Key, however often and however at once it comes", async () => {
    const gateway = await startTestGateway();
    const key = { "idempotency-key": "k-1" };
    const replies = await Promise.all(Array.from({ length: 8 }, () => gateway.post("/v1/tasks", TASK, key)));
    expect(replies.map((reply) => reply.status)).toEqual(Array(8).fill(202));
    const bodies = await Promise.all(replies.map((reply) => reply.json()));
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    // Another order of fields is the same request.
    const reordered = await gateway.post("/v1/tasks", `{"input":{"text":"hello"},"team":"gw-chain"}`, key);
    expect(await reordered.json()).toEqual(bodies[0]);
    expect(await gateway.system.store.runs.counts()).toMatchObject({ submitted: 1 });
  });

  it("refuses an Idempotency-Key that comes with another body", async () => {
    const gateway = await startTestGateway();
    const key = { "idempotency-key": "k-1" };
    const { run_id } = await answerOf(gateway.post("/v1/tasks", TASK, key), startedForm);
    const other = { ...TASK, priority: "low" };
    const reply = await gateway.post("/v1/tasks", other, key);
    expect(reply.status).toBe(422);
    expect(await reply.json()).toMatchObject({
      code: "idempotency_conflict",
      detail: expect.stringContaining(run_id),
      errors: [
        { pointer: "/headers/idempotency-key", code: "used", message: expect.stringContaining(run_id) },
      ],
    });
    // The run is named to the client that started it: another client's key of the same name is another key.
    const theirs = await gateway.post("/v1/tasks", other, {
      ...key,
      authorization: `Bearer ${SECRETS.submit2}`,
    });
    expect(theirs.status).toBe(202);
    expect(await theirs.text()).not.toContain(run_id);
  });

  it.each(["a b", "x".repeat(256)])("refuses the Idempotency-Key %j", async (value) => {
    const gateway = await startTestGateway();
    const reply = await gateway.post("/v1/tasks", TASK, { "idempotency-key": value }).catch(() => null);
    // A key that the client's own HTTP refuses to send is refused, too.
    if (reply !== null) expect(reply.status).toBe(422);
  });

  it("answers 429 with Retry-After when the queues are full, and accepts again later", async () => {
    const gateway = await startTestGateway({ parts: { queueLimit: 1 } });
    expect((await gateway.post("/v1/tasks", TASK)).status).toBe(202);
    const reply = await gateway.post("/v1/tasks", TASK);
    expect(reply.status).toBe(429);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await gateway.send("/readyz", { key: null })).status).toBe(503);
    await gateway.system.start();
    await expect.poll(async () => (await gateway.post("/v1/tasks", TASK)).status).toBe(202);
  });
});
