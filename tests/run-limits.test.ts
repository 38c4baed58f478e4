import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import { discardCase } from "#shared/ward/moves";

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
    const system = createTestSystem(team("bombs", [bomb], { loops: ["bomb>bomb"], ...limits }));
    await system.start();
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
