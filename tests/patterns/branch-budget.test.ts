import { expect, it } from "vitest";
import { Made, createFanOutTeam } from "./fan-out-team.ts";
import { openModelSystem } from "../support/open-model-system.ts";

/** What one answer takes, as the endpoint says. */
const TOKENS_OF_ANSWER = 120;

it("starts no more branches once those that came back have spent what their run may", async () => {
  const { team, joined } = createFanOutTeam({
    fan: { window: 2, policy: "collect" },
    workMore: { answers: [Made] },
    work: async (input, ctx) =>
      ctx.handoff("merge", await ctx.model("make", { instructions: "Make it.", input, answers: Made })),
  });
  const { system, endpoint } = await openModelSystem(team);
  endpoint.behave = () => '{"n": 1, "double": 2}';
  const { runId } = await system.submit({ n: 20 }, { budget: { token_limit: 4 * TOKENS_OF_ANSWER } });
  expect(await system.until(runId)).toMatchObject({ status: "completed", result: { of: 20 } });
  // The fifth answer passes the limit, and one more may be under way beside it.
  expect(endpoint.seen.length).toBeGreaterThanOrEqual(5);
  expect(endpoint.seen.length).toBeLessThanOrEqual(6);
  expect(joined).toHaveLength(1);
  const { answers, failures } = joined[0] ?? { answers: [], failures: [] };
  expect(answers).toHaveLength(endpoint.seen.length);
  expect(failures).toHaveLength(20 - answers.length);
  expect(new Set(failures.map(({ reason, code }) => `${reason} ${code}`))).toEqual(
    new Set(["not_started ENVELOPE_BUDGET_EXCEEDED"]),
  );
});
