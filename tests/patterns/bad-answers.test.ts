import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { openModelSystem } from "../support/open-model-system.ts";

/** Pattern P1 on a real Redis: what travels between two agents is held against its contract on both sides. */

const orderSchema = z.strictObject({
  id: z.string().regex(/^[A-Z]{2}-\d{3}$/),
  seats: z.int().min(1).max(9),
});
const Note = contract("note@1", z.object({ text: z.string() }));
const Order = contract("order@1", orderSchema);

/** An asker whose model answers with an order, and a taker that notes whatever its handler is given. */
async function openOrders(
  changeOnTheWay: (order: z.output<typeof orderSchema>) => unknown = (order) => order,
) {
  const taken: unknown[] = [];
  const asker = agent("asker@1", {
    accepts: Note,
    to: { taker: Order },
    answers: [Order],
    handle: async (note, ctx) => {
      const order = await ctx.model("read", { instructions: "Read the order.", input: note, answers: Order });
      // A handler's own bug: the type says that it is an order, and it is none.
      return ctx.handoff("taker", changeOnTheWay(order) as typeof order);
    },
  });
  const taker = agent("taker@1", {
    accepts: Order,
    handle: (order, ctx) => {
      taken.push(order);
      return ctx.complete(order);
    },
  });
  const desk = team("desk", [asker, taker]);
  const { system, endpoint } = await openModelSystem(desk);
  const run = async (payload: unknown, draft = {}) => {
    const { runId } = await system.submit(payload, draft);
    return system.until(runId, ["completed", "failed", "in_ward", "quarantined"]);
  };
  return { endpoint, run, taken, store: system.store };
}

const anything = fc.oneof(
  fc.string(),
  fc.json(),
  fc.record({ id: fc.anything(), seats: fc.anything() }).map((value) => JSON.stringify(value) ?? ""),
  fc
    .record({ id: fc.constant("AB-123"), seats: fc.oneof(fc.double(), fc.string()) })
    .map((one) => JSON.stringify(one)),
);

describe("a bad answer", () => {
  it("never reaches the next agent's handler, whatever a model says", async () => {
    const { endpoint, run, taken } = await openOrders();
    let completed = 0;
    await fc.assert(
      fc.asyncProperty(anything, async (text) => {
        endpoint.behave = () => text;
        const { status } = await run({ text: "two seats" });
        completed += status === "completed" ? 1 : 0;
        expect(["completed", "in_ward", "quarantined"]).toContain(status);
      }),
      { numRuns: 60 },
    );
    for (const order of taken) expect(orderSchema.safeParse(order).success, JSON.stringify(order)).toBe(true);
    expect(taken).toHaveLength(completed);
    endpoint.behave = () => JSON.stringify({ id: "AB-123", seats: 2 });
    expect((await run({ text: "two seats" })).status).toBe("completed");
    expect(taken.at(-1)).toEqual({ id: "AB-123", seats: 2 });
  });

  it.each([
    ["a field is missing", () => ({ id: "AB-123" })],
    ["a field is of another type", () => ({ id: "AB-123", seats: "two" })],
    ["a value is out of its bounds", () => ({ id: "AB-123", seats: 10 })],
    ["a field is there that nobody knows", () => ({ id: "AB-123", seats: 2, note: "x" })],
    ["it is no object", () => null],
  ])("is stopped before the handoff where the handler spoils it itself: %s", async (_, spoil) => {
    const { endpoint, run, taken, store } = await openOrders(spoil);
    endpoint.behave = () => JSON.stringify({ id: "AB-123", seats: 2 });
    const { run_id, status } = await run({ text: "two seats" });
    expect(status).toMatch(/in_ward|quarantined/);
    expect(taken).toEqual([]);
    // Found where it was made: nobody at the other end was given it.
    const events = await store.runs.events(run_id, { from: 0, limit: 50 });
    expect(events.filter(({ detail }) => typeof detail["ms"] === "number").map((one) => one.agent)).toEqual([
      "asker",
    ]);
  });

  it.each([[{}], [{ id: "ab-123", seats: 2 }], [{ id: "AB-123", seats: 2.5 }], [[]], ["AB-123"]])(
    "is stopped behind the handoff where a sender did not check: %j",
    async (payload) => {
      const { run, taken } = await openOrders();
      const { status } = await run(payload, { to: "taker@1", contract: Order.id });
      expect(status).toMatch(/in_ward|quarantined/);
      expect(taken).toEqual([]);
    },
  );
});
