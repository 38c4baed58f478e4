import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { openModelSystem } from "./support/open-model-system.ts";

const Question = contract("question@1", z.object({ n: z.number() }));

it("hands nothing on once an answer has cost more than the run may spend", async () => {
  const heard: number[] = [];
  const asker = agent("asker@1", {
    accepts: Question,
    to: { next: Question },
    handle: async (input, ctx) =>
      ctx.handoff("next", await ctx.model("reply", { instructions: "Repeat it.", input, answers: Question })),
  });
  const next = agent("next@1", {
    accepts: Question,
    handle: (input, ctx) => {
      heard.push(input.n);
      return ctx.complete(input);
    },
  });
  const members = team("askers", [asker, next]);
  const { system, endpoint } = await openModelSystem(members);
  endpoint.behave = () => '{"n": 7}';
  // What the endpoint says that its answer took is 120 tokens.
  const enough = await system.submit({ n: 1 }, { budget: { token_limit: 120 } });
  expect((await system.until(enough.runId)).status).toBe("completed");
  const { runId } = await system.submit({ n: 2 }, { budget: { token_limit: 119 } });
  expect((await system.until(runId, ["quarantined"])).status).toBe("quarantined");
  expect(heard).toEqual([7]);
  const events = await system.store.runs.events(runId, { from: 0, limit: 20 });
  expect(events.filter(({ type }) => type === "handed_off")).toEqual([]);
  expect(events.find(({ type }) => type === "quarantined" || type === "in_ward")).toMatchObject({
    agent: "asker",
    detail: { class: "budget_exceeded" },
  });
});
