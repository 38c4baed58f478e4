import { describe, expect, it } from "vitest";
import { team } from "#shared/runtime";
import { chainTeam } from "../testing/chain-team.ts";
import { answerOf, startedForm } from "../testing/answer.ts";
import { startTestGateway } from "../testing/start-test-gateway.ts";

const limited = team("gw-chain", [...chainTeam.agents.values()], {
  costLimit: 0.25,
  tokenLimit: 5000,
  hopsMax: 4,
  ttlMs: 3_600_000,
});
const ABOVE = [
  ["cost", { budget: { cost_limit: 0.26 } }, "/budget/cost_limit", "0.25"],
  ["tokens", { budget: { token_limit: 5001 } }, "/budget/token_limit", "5000"],
  ["life", { ttl_ms: 3_600_001 }, "/ttl_ms", "3600000"],
  ["a life without an end", { ttl_ms: null }, "/ttl_ms", "3600000"],
] as const;
const HANDOFF = { target_agent: "gw-first", contract: "gw.note@2", data_payload: { text: "x" } };
const TASK = { team: "gw-chain", input: { text: "x" } };

describe("a team's limits are ceilings", () => {
  it.each([
    ...ABOVE.map(([what, more, ...rest]) => [what, "/v1/tasks", { ...TASK, ...more }, ...rest] as const),
    ["hops", "/v1/tasks", { ...TASK, max_hops: 5 }, "/max_hops", "4"] as const,
    ...ABOVE.map(
      ([what, more, ...rest]) => [what, "/v1/handoffs", { ...HANDOFF, ...more }, ...rest] as const,
    ),
  ])(
    "and more %s at %s is refused with the field and the ceiling",
    async (_what, path, body, pointer, most) => {
      const gateway = await startTestGateway({ team: limited });
      const reply = await gateway.post(path, body);
      expect(reply.status).toBe(422);
      expect(await reply.json()).toMatchObject({
        errors: [{ pointer, code: "above_ceiling", message: expect.stringContaining(`at most ${most};`) }],
      });
      expect(await gateway.store.runs.counts()).toMatchObject({ submitted: 0 });
    },
  );

  it("and lower ones hold, one by one", async () => {
    const gateway = await startTestGateway({ team: limited });
    const less = { budget: { token_limit: 10 }, max_hops: 2 };
    const { message_id } = await answerOf(gateway.post("/v1/tasks", { ...TASK, ...less }), startedForm);
    const job = await gateway.store.queues.of("gw-first", "fresh").getJob(message_id);
    expect(JSON.parse(String(job?.data["sealed"]))).toMatchObject({
      meta: { max_hops: 2 },
      billing: { cost_limit: 0.25, token_limit: 10 },
    });
  });
});

describe("an agent that takes nothing from outside", () => {
  it.each([
    [
      "an agent in the middle",
      { target_agent: "gw-last", contract: "gw.length@1", data_payload: { text: "x", length: 9 } },
    ],
    [
      "what its contract refuses",
      { target_agent: "gw-last", contract: "gw.length@1", data_payload: "x", on_invalid: "ward" },
    ],
    [
      "the agent by its version",
      { target_agent: "gw-old@1", contract: "gw.note@1", data_payload: { words: "x" } },
    ],
  ])("is not reached by POST /v1/handoffs: %s", async (_what, body) => {
    const gateway = await startTestGateway();
    const reply = await gateway.post("/v1/handoffs", body);
    expect(reply.status).toBe(422);
    expect(await reply.json()).toMatchObject({
      errors: [
        {
          pointer: "/target_agent",
          code: "closed_agent",
          message: expect.stringContaining(
            "submit a task to gw-chain, or declare the agent with outside: true",
          ),
        },
      ],
    });
    expect(await gateway.store.runs.counts()).toMatchObject({ submitted: 0 });
  });
});
