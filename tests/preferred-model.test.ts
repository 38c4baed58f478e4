import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { createModelClient } from "#shared/model";
import { agent, RUNTIME_LIMITS_DEFAULT, team } from "#shared/runtime";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import { startModelEndpoint } from "./support/model-endpoint.ts";

/** The model that a user prefers is held against the operator's list, goes with every handoff, and is asked. */

const Ask = contract("ask@1", z.object({ about: z.string() }));
const Letter = contract("letter@1", z.object({ body: z.string() }));
const asked = { instructions: "Write.", answers: Letter };

const desk = agent("desk@1", {
  accepts: Ask,
  answers: [Letter],
  to: { writer: Ask },
  handle: async (input, ctx) => {
    await ctx.model("sort", { ...asked, input, tier: "router" });
    await ctx.model("think", { ...asked, input });
    return ctx.handoff("writer", input);
  },
});
const writer = agent("writer@1", {
  accepts: Ask,
  answers: [Letter],
  handle: async (input, ctx) => ctx.complete(await ctx.model("write", { ...asked, input })),
});
const letters = team("letters", [desk, writer]);

/** @param models - Allowed at the gateway, and where the agents work. */
async function open(models: { readonly gateway: readonly string[]; readonly agents: readonly string[] }) {
  const gateway = await startTestGateway({ team: letters, parts: { userModels: models.gateway } });
  const endpoint = await startModelEndpoint([letters]);
  endpoint.behave = () => '{"body":"Dear customer"}';
  const model = createModelClient({
    baseUrl: endpoint.url,
    apiKey: "test",
    models: { router: "small", worker: "middle", surgeon: "large" },
  });
  onTestFinished(async () => {
    model.close();
    await endpoint.close();
  });
  const limits = { ...RUNTIME_LIMITS_DEFAULT, retry: RETRY_POLICY_DEFAULT, userModels: models.agents };
  await gateway.system.start({ model, limits });
  const submit = async (preferred: unknown) => {
    const user = { preferences: { user_chat_model: preferred } };
    const reply = await gateway.post("/v1/tasks", { team: "letters", input: { about: "x" }, user });
    // Our own answer.
    const body = (await reply.json()) as { run_id: string; errors?: unknown };
    return { status: reply.status, ...body };
  };
  const askedModels = async (runId: string) => {
    expect((await gateway.system.until(runId)).status).toBe("completed");
    return endpoint.seen.map(({ body }) => body.model);
  };
  return { gateway, submit, askedModels };
}

it("asks the preferred model in every step of the tier worker, and in no other", async () => {
  const { submit, askedModels, gateway } = await open({
    gateway: ["best", "other"],
    agents: ["other", "best"],
  });
  const { run_id: runId, status } = await submit("best");
  expect(status).toBe(202);
  expect(await askedModels(runId)).toEqual(["small", "best", "best"]);
  const answers = (await gateway.store.runs.events(runId, { from: 0, limit: 50 })).map(
    ({ detail }) => detail,
  );
  expect(JSON.stringify(answers)).not.toContain("middle");
});

it.each(["worst", "BEST", "best ", "", "best,other", 7, null, ["best"], { model: "best" }])(
  "refuses %j at the gateway, and says which may be chosen",
  async (preferred) => {
    const { submit } = await open({ gateway: ["best", "other"], agents: ["best"] });
    const { status, errors } = await submit(preferred);
    expect(status).toBe(422);
    expect(JSON.stringify(errors)).toContain("/user/preferences/user_chat_model");
    expect(JSON.stringify(errors)).toContain("best, other");
  },
);

it("asks the tier's own model where the preferred one is not allowed to the agents", async () => {
  const { submit, askedModels } = await open({ gateway: ["best"], agents: [] });
  const { run_id: runId } = await submit("best");
  expect(await askedModels(runId)).toEqual(["small", "middle", "middle"]);
});
