import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { startTestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import { discardCase } from "#shared/ward/moves";
import { createFanOutTeam, Made } from "./patterns/fan-out-team.ts";
import { openModelSystem } from "./support/open-model-system.ts";

const Order = contract("bomb.order@1", z.object({ n: z.int() }));

const bomb = agent("bomb@1", {
  accepts: Order,
  to: { bomb: Order },
  handle: ({ n }, ctx) => {
    const [one, other] = [ctx.handoff("bomb", { n: n + 1 }), ctx.handoff("bomb", { n: n + 1 })];
    if (one.kind !== "handed_off" || other.kind !== "handed_off") return ctx.complete({});
    return { kind: "handed_off", handoffs: [...one.handoffs, ...other.handoffs] };
  },
});

it.each([
  ["hops", { hopsMax: 6 }, {}, "hop_limit"],
  ["handoffs", { hopsMax: 100 }, { handoffsMax: 60 }, "budget_exceeded"],
])(
  "makes one case of a run that splits until it has no %s left, and ends with it",
  async (_, draft, limits, failureClass) => {
    const system = await startTestSystem(team("bombs", [bomb], { loops: ["bomb>bomb"], ...limits }));
    const { runId } = await system.submit({ n: 0 }, draft);
    const { store } = system;
    const filter = { run_id: runId };
    const casesOf = async () => (await findCases(store, { filter, limit: 100 })).cases;
    expect((await system.until(runId, ["quarantined", "failed"])).status).toBe("quarantined");
    await expect.poll(casesOf).toHaveLength(1);
    const [one] = await casesOf();
    expect(one?.failure_class).toBe(failureClass);
    const messages = await store.runs.messages(runId);
    expect(messages.length).toBeGreaterThan(50);
    expect(messages.filter(({ state }) => state !== "closed")).toHaveLength(1);
    const from = await store.cases.get(one?.case_id ?? "");
    expect(await discardCase(store, { from, by: "ada", why: "a bomb", end: "failed" })).toBe(true);
    expect((await system.until(runId)).status).toBe("failed");
    expect(await casesOf()).toHaveLength(1);
  },
);

const TOKENS_OF_ANSWER = 120;

it("starts no more branches once those that came back have spent what their run may", async () => {
  const { team: own, joined } = createFanOutTeam({
    fan: { window: 2, policy: "collect" },
    workMore: { answers: [Made] },
    work: async (input, ctx) =>
      ctx.handoff("merge", await ctx.model("make", { instructions: "Make it.", input, answers: Made })),
  });
  const { system, endpoint } = await openModelSystem(own);
  endpoint.behave = () => '{"n": 1, "double": 2}';
  const { runId } = await system.submit({ n: 20 }, { budget: { token_limit: 4 * TOKENS_OF_ANSWER } });
  expect(await system.until(runId)).toMatchObject({ status: "completed", result: { of: 20 } });
  // The fifth answer passes the limit, and one more may be under way beside it.
  expect(endpoint.seen.length).toBeGreaterThanOrEqual(5);
  expect(endpoint.seen.length).toBeLessThanOrEqual(6);
  // Every call that was paid for is counted for its payer, as the run was billed for it.
  const billed = (await system.store.runs.find(runId))?.cost ?? -1;
  await expect
    .poll(() => system.store.rates.costs("hour"), { timeout: 60_000 })
    .toMatchObject([{ team: own.name, calls: endpoint.seen.length, cost: expect.closeTo(billed, 6) }]);
  expect(joined).toHaveLength(1);
  const { answers, failures } = joined[0] ?? { answers: [], failures: [] };
  expect(answers).toHaveLength(endpoint.seen.length);
  expect(failures).toHaveLength(20 - answers.length);
  expect(new Set(failures.map(({ reason, code }) => `${reason} ${code}`))).toEqual(
    new Set(["not_started ENVELOPE_BUDGET_EXCEEDED"]),
  );
});
