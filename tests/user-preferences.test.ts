import { expect, it, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { RETRY_POLICY_DEFAULT } from "#shared/failure";
import { agent, RUNTIME_LIMITS_DEFAULT, team } from "#shared/runtime";
import { startTestSystem } from "#shared/testing";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import { createJointReply } from "../services/agents/support/joint-reply/agent.ts";
import { sandboxOutside } from "../services/agents/support/testing/open-support.ts";
import { createReply } from "../services/agents/support/reply/agent.ts";
import { createResearchTeam } from "../services/agents/research/team.ts";
import { sampleLibrary, sampleOf } from "../services/agents/research/testing/open-team.ts";
import { openModel, openModelSystem } from "./support/open-model-system.ts";
import { operateOn } from "./support/operate-on.ts";
import { openRehearsal } from "./support/rehearsal-model.ts";

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
  const gateway = await startTestGateway({ team: letters, parts: { userModels: [...models.gateway] } });
  const { endpoint, model } = await openModel(letters);
  endpoint.behave = () => '{"body":"Dear customer"}';
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

/** Teams that use the user's preferences and the task's constraints. */

interface Reply {
  readonly language: string;
  readonly body: string;
}

const NOTED = {
  outcome: "idea_noted",
  customer_email: "mia@mail.example",
  language: "en",
  summary: "Wants a dark mode.",
  facts: [{ label: "idea", value: "T-77" }],
};

async function openSupport() {
  // The agents that write the final text alone; nothing of the outside is called.
  const outside = sandboxOutside(() => "http://127.0.0.1:1");
  const replying = team("replying", [createReply(outside), createJointReply(outside)]);
  const system = await startTestSystem(replying, {
    model: (await openRehearsal(replying)).model,
    lockMs: 5000,
  });
  const write = async (draft: Parameters<typeof system.submit>[1]): Promise<Reply> => {
    const { runId } = await system.submit(NOTED, draft);
    // The reply of the support team.
    return (await system.until(runId, ["completed"])).result as Reply;
  };
  return { system, write };
}

test("support answers in the language and the tone that the customer prefers, else in that of the e-mail", async () => {
  const { write } = await openSupport();
  const plain = await write({});
  expect(plain).toMatchObject({ language: "en", body: expect.stringContaining("Hello") });
  const preferred = await write({ user: { preferences: { language: "de", tone: "brief" } } });
  expect(preferred).toMatchObject({ language: "de", body: expect.stringContaining("vielen Dank") });
  expect(preferred.body).not.toContain("Guten Tag");
});

test("support sends no answer that is longer than its task allows", async () => {
  const { system } = await openSupport();
  operateOn(system);
  const { runId } = await system.submit(NOTED, { task: { constraints: ["max_words=3"] } });
  expect((await system.until(runId, ["quarantined"])).status).toBe("quarantined");
});

test("research keeps a report within the words that its task allows, and says what it left out", async () => {
  const { system, endpoint } = await openModelSystem(createResearchTeam({ library: sampleLibrary() }));
  const { text } = sampleOf("heating-report");
  endpoint.behave = ({ schemaName, body }) => {
    const prompt = body.messages.find(({ role }) => role === "user")?.content ?? "";
    if (schemaName !== "writer_draft_1" || !prompt.includes('"max_words"')) return null;
    const claim = {
      text: "District heating supplies 3,400 homes.",
      question_id: "q1",
      finding_ids: ["q1f1"],
    };
    return JSON.stringify({ title: "t", claims: [claim], unanswered: ["q2", "q3", "q4"], disagreeing: [] });
  };
  const write = async (constraints: string[]) => {
    const payload = {
      conversation_id: `c-${constraints.join()}`,
      after: null,
      ask: { kind: "message", text },
    };
    const draft = { user: { user_id: "ada" }, hopsMax: 60, ttlMs: 600_000, task: { constraints } };
    const { runId } = await system.submit(payload, draft);
    // As `settleAnswer` gives it.
    return (await system.until(runId, ["completed"])).result as { answer: string; citations: object[] };
  };
  const [whole, short] = [await write([]), await write(["max_words=45"])];
  expect(whole.citations.length).toBeGreaterThan(short.citations.length);
  expect(short.citations.length).toBeGreaterThan(0);
});
