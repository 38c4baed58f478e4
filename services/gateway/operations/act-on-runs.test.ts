import { describe, expect, it } from "vitest";
import { startTestGateway } from "../testing/start-test-gateway.ts";
import type { TestGateway } from "../testing/start-test-gateway.ts";
import { answerOf, problemForm, runForm, startedForm } from "../testing/answer.ts";

const TASK = { team: "gw-chain", input: { text: "hello" }, user: { user_id: "u_7" } };

async function started(reply: Promise<Response>): Promise<{ run_id: string; message_id: string }> {
  const answer = await reply;
  expect(answer.status).toBe(202);
  return answerOf(answer, startedForm);
}

async function completeOne(gateway: TestGateway): Promise<{ run_id: string; message_id: string }> {
  await gateway.system.start();
  const run = await started(gateway.post("/v1/tasks", TASK));
  await gateway.system.until(run.run_id);
  return run;
}

describe("POST /v1/runs/{run_id}/cancel", () => {
  it("cancels a run before any agent has begun, and says so as often as it is asked", async () => {
    const gateway = await startTestGateway();
    const { run_id } = await started(gateway.post("/v1/tasks", TASK));
    expect((await gateway.send(`/v1/runs/${run_id}/cancel`, { method: "POST" })).status).toBe(200);
    await gateway.system.start();
    expect(await gateway.system.until(run_id)).toMatchObject({ status: "cancelled" });
    const again = await gateway.post(`/v1/runs/${run_id}/cancel`, {});
    expect(await again.json()).toMatchObject({ status: "cancelled" });
  });
});

describe("POST /v1/runs/{run_id}/replay", () => {
  it("runs again with another payload, which must be what the contract says", async () => {
    const gateway = await startTestGateway();
    const run = await completeOne(gateway);
    const refused = await gateway.post(`/v1/runs/${run.run_id}/replay`, { data_payload: { text: 1 } });
    expect(refused.status).toBe(422);
    expect(await refused.json()).toMatchObject({ errors: [{ pointer: "/data_payload/text" }] });
    const replay = await started(
      gateway.post(`/v1/runs/${run.run_id}/replay`, { data_payload: { text: "other words" } }),
    );
    // The user's own words are those of the first time.
    expect((await gateway.system.until(replay.run_id)).result).toMatchObject({ length: 11, query: "hello" });
  });

  it("runs again from a message between two agents that its receiver has verified", async () => {
    const gateway = await startTestGateway();
    const run = await completeOne(gateway);
    const { hops } = await answerOf(gateway.send(`/v1/runs/${run.run_id}`), runForm);
    const replay = await started(
      gateway.post(`/v1/runs/${run.run_id}/replay`, { message_id: hops[1]?.message_id ?? "" }),
    );
    expect((await gateway.system.until(replay.run_id)).result).toMatchObject({ length: 5 });
  });

  it("signs nothing that nobody has verified", async () => {
    const gateway = await startTestGateway();
    const run = await completeOne(gateway);
    const { hops } = await answerOf(gateway.send(`/v1/runs/${run.run_id}`), runForm);
    const job = await gateway.system.store.queues.of("gw-last", "fresh").getJob(hops[1]?.message_id ?? "");
    await job?.updateData({ ...job.data, sealed: String(job.data.sealed).replace("hello", "hallo") });
    const reply = await gateway.post(`/v1/runs/${run.run_id}/replay`, {
      message_id: hops[1]?.message_id ?? "",
    });
    expect(reply.status).toBe(409);
    expect(await reply.json()).toMatchObject({ code: "message_not_verifiable" });
  });

  it("is one replay for one Idempotency-Key", async () => {
    const gateway = await startTestGateway();
    const run = await completeOne(gateway);
    const key = { "idempotency-key": "again" };
    const first = await started(gateway.post(`/v1/runs/${run.run_id}/replay`, {}, key));
    expect(await started(gateway.post(`/v1/runs/${run.run_id}/replay`, {}, key))).toEqual(first);
  });
});

describe("POST /v1/handoffs", () => {
  it.each([
    [
      "a payload of the wrong form",
      { contract: "gw.note@2", data_payload: { text: 1 } },
      "/data_payload/text",
    ],
    [
      "an older form that cannot be lifted",
      { contract: "gw.note@1", data_payload: { nope: 1 } },
      "/data_payload/words",
    ],
    ["a newer version", { contract: "gw.note@3", data_payload: { text: "x" } }, "/contract"],
    [
      "an unknown agent",
      { contract: "gw.note@2", data_payload: { text: "x" }, target_agent: "nobody" },
      "/target_agent",
    ],
  ])("refuses %s with the place", async (_what, body, pointer) => {
    const gateway = await startTestGateway();
    const reply = await gateway.post("/v1/handoffs", { target_agent: "gw-first", ...body });
    expect(reply.status).toBe(422);
    const { errors } = await answerOf(reply, problemForm);
    expect(errors.map((error) => error.pointer)).toContain(pointer);
  });

  it.each([[{ text: 1 }], ["{'text': 'raw'}"]])(
    "takes %j from a producer that cannot correct itself, and it reaches the ward",
    async (data_payload) => {
      const gateway = await startTestGateway();
      await gateway.system.start();
      const handoff = { target_agent: "gw-first@1", contract: "gw.note@2", data_payload, on_invalid: "ward" };
      const { run_id } = await started(gateway.post("/v1/handoffs", handoff));
      await gateway.system.until(run_id, ["in_ward", "quarantined"]);
      expect(await (await gateway.send("/v1/stats")).json()).toMatchObject({
        equation: { submitted: 1, waiting: 1, balanced: true },
        waiting: { ward: 1 },
      });
    },
  );
});
