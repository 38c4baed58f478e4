import { describe, expect, it } from "vitest";
import { awayError } from "#shared/testing";
import { groupBatches } from "#shared/ward/decisions";
import {
  Note,
  Objections,
  openSurgeonTestSystem,
  repairWith,
  openSurgeonAtWork,
} from "./testing/surgeon-test-system.ts";
import type { SurgeonTestSystem } from "./testing/surgeon-test-system.ts";

const WORDS = "Please refund order A-1234 for 3 seats.";
const QUERY = { user: { original_query: WORDS } };
const QUERY_OF_SEATS = { user: { original_query: "Please refund 3 seats." } };

describe("the ladder", () => {
  it("heals what first aid can read, without a model, and the run completes", async () => {
    const system = await openSurgeonAtWork();
    const { endpoint, handled, untilCase } = system;
    const run = await system.run({ order_id: "A-1234", seats: "3" });
    expect(run).toMatchObject({ status: "completed", result: { order_id: "A-1234" } });
    expect(handled).toEqual([{ order_id: "A-1234", seats: 3 }]);
    const one = await untilCase(run.run_id, (found) => found.status === "discharged");
    expect(one.history[0]?.attempts.map((attempt) => [attempt.procedure, attempt.outcome])).toEqual([
      ["recipe", "refused"],
      ["first_aid", "healed"],
    ]);
    expect(one.history[0]?.attempts[1]?.diff).toEqual([{ op: "replace", path: "/seats", value: 3 }]);
    expect(endpoint.questions).toEqual([]);
    expect(run.messages).toEqual({ open: 0, in_ward: 0, quarantined: 0 });
  });

  it("heals from the user's own words where two readings agree, and prices both into the run", async () => {
    const system = await openSurgeonAtWork();
    const { endpoint, handled, untilCase } = system;
    endpoint.answer = () => repairWith({ order_id: "A-1234", seats: 3 });
    const run = await system.run({ order_id: "A-1234" }, QUERY);
    expect(run.status).toBe("completed");
    expect(handled).toEqual([{ order_id: "A-1234", seats: 3 }]);
    expect(run.cost).toBeCloseTo((2 * (1000 * 1.25 + 100 * 10)) / 1e6, 6);
    expect(run.tokens).toBe(2200);
    // The second reader is told neither what is wrong nor what was answered.
    expect(Object.keys(endpoint.readings[0] ?? {})).toEqual([
      "message",
      "contract",
      "original_query",
      "history",
    ]);
    const one = await untilCase(run.run_id, (found) => found.status === "discharged");
    expect(one.cost).toBeCloseTo(run.cost, 6);
    expect(endpoint.questions[0]).toMatchObject({
      original_query: WORDS,
      contract: { id: "desk.refund@1" },
    });
    const events = await system.store.runs.events(run.run_id, { from: 0, limit: 50 });
    expect(events.map((event) => event.type)).toEqual(
      expect.arrayContaining(["in_ward", "operation", "discharged"]),
    );
  });

  it("leaves an invented value to a person, marked", async () => {
    const system = await openSurgeonAtWork();
    const { endpoint, handled, untilCase } = system;
    endpoint.answer = () => repairWith({ order_id: "A-1234", seats: 77 });
    const run = await system.run({ order_id: "A-1234" }, QUERY, ["quarantined"]);
    expect(run.cost).toBeGreaterThan(0);
    const one = await untilCase(run.run_id, (found) => found.status === "quarantined");
    const model = one.history[0]?.attempts.find((attempt) => attempt.procedure === "strong_model");
    expect(model?.outcome).toBe("objected");
    expect(model?.objections).toEqual([
      expect.objectContaining({ path: "/seats", code: "invented", value: 77 }),
    ]);
    expect(handled).toEqual([]);
    // A second look, and no third.
    expect(endpoint.questions).toHaveLength(2);
  });

  it.each([
    ["reads otherwise", repairWith({ order_id: "A-1234", seats: 12 })],
    ["finds nothing", { quotes: [], payload: "" }],
    ["cannot be read", "I would say three."],
  ])(
    "leaves to a person what only a sense speaks for, where a second reading %s, and asks no third time",
    async (_, read) => {
      const system = await openSurgeonAtWork();
      const { endpoint, handled, untilCase } = system;
      endpoint.answer = () => repairWith({ order_id: "A-1234", seats: 3 });
      endpoint.read = () => read;
      const { runId } = await system.submit(
        { order_id: "A-1234" },
        { user: { original_query: "A-1234: 3 of 12 seats." } },
      );
      const one = await untilCase(runId, (found) => found.status === "quarantined");
      expect(one.history[0]?.attempts.at(-1)).toMatchObject({
        outcome: "objected",
        objections: expect.arrayContaining([expect.objectContaining({ path: "/seats", code: "unread" })]),
      });
      expect([endpoint.questions.length, endpoint.readings.length]).toEqual([1, 1]);
      expect(handled).toEqual([]);
    },
  );

  it.each([
    ["an editor's objection emptied", "I object to the claim: it is false."],
    ["two objections emptied", "I object to the first claim. I object to the second one as well."],
  ])("sends no %s, though the model says it in both readings", async (_, said) => {
    const system = await openSurgeonTestSystem({
      handle: async (_input, ctx) =>
        ctx.complete(await ctx.model("edit", { instructions: "Edit.", input: {}, answers: Objections })),
    });
    const { endpoint, startSurgeon, surgery, untilCase } = system;
    endpoint.answer = (input) =>
      "message" in input
        ? { ...repairWith({ objections: [] }), quotes: [{ quote: said, path: "/objections" }] }
        : said;
    await system.start({ model: surgery().model });
    startSurgeon();
    const { runId } = await system.submit({ order_id: "A-1234", seats: 3 });
    const one = await untilCase(runId, (found) => found.status === "quarantined");
    expect(one.history[0]?.attempts.at(-1)?.objections.map(({ code }) => code)).toContain("unaccounted");
  });

  it("lets no model write a locked field", async () => {
    const system = await openSurgeonAtWork();
    const { endpoint, untilCase } = system;
    endpoint.answer = () => repairWith({ order_id: "A-1234", seats: 3, amount: 3 });
    const { runId } = await system.submit({ order_id: "A-1234", amount: 12 }, QUERY);
    const one = await untilCase(runId, (found) => found.status === "quarantined");
    const codes = one.history[0]?.attempts.at(-1)?.objections.map((objection) => objection.code);
    expect(codes).toContain("locked");
  });

  it("does not operate on a message whose payload is not at fault", async () => {
    const system = await openSurgeonAtWork({
      handle: () => {
        throw new Error("the agent's own bug");
      },
    });
    const { endpoint, untilCase } = system;
    const { runId } = await system.submit({ order_id: "A-1234", seats: 3 });
    const one = await untilCase(runId, (found) => found.status === "quarantined");
    expect(one.diagnosis).toContain("The agent's code failed");
    expect(one.operations).toBe(0);
    expect(endpoint.questions).toEqual([]);
  });

  it("places a healed model answer where the agent reads it, and the model is not asked again", async () => {
    const system = await openSurgeonTestSystem({
      handle: async (_input, ctx) => {
        const note = await ctx.model("write", {
          instructions: "Write.",
          input: { about: "parcels" },
          answers: Note,
        });
        return ctx.complete(note);
      },
    });
    const { endpoint, startSurgeon, surgery } = system;
    let asked = 0;
    endpoint.answer = (input) => {
      if ("message" in input) return repairWith({ text: "all good", parcels: 7 });
      asked += 1;
      return '{"text": "all good"}';
    };
    await system.start({ model: surgery().model });
    startSurgeon();
    const { runId } = await system.submit(
      { order_id: "A-1234", seats: 3 },
      { user: { original_query: "All 7 parcels came." } },
    );
    const run = await system.until(runId, ["completed", "quarantined"]);
    expect(run.result).toEqual({ text: "all good", parcels: 7 });
    expect(asked).toBe(2);
  });
});

const WHOLE = { order_id: "A-1234", seats: 3 };

/** An agent whose tool can be unavailable. */
async function openWithTool(
  limits: Parameters<typeof openSurgeonTestSystem>[0] = {},
): Promise<SurgeonTestSystem & { tool: { isAway: boolean } }> {
  const tool = { isAway: true };
  const system = await openSurgeonTestSystem({
    limits: { surgeonResendMs: 100 },
    ...limits,
    handle: (input, ctx) => {
      if (tool.isAway) throw awayError();
      return ctx.complete({ order_id: input.order_id });
    },
  });
  await system.start();
  return Object.assign(system, { tool });
}

describe("a message that died because its agent's tool was away", () => {
  it("goes on as it stands when the tool is back, by itself and for no money", async () => {
    const system = await openWithTool({ limits: { surgeonResendMs: 1000 } });
    system.startSurgeon();
    const { runId } = await system.submit(WHOLE);
    const waiting = await system.untilCase(runId, ({ waits }) => waits !== null);
    expect(waiting).toMatchObject({ status: "admitted", operations: 0 });
    system.tool.isAway = false;
    expect((await system.until(runId)).status).toBe("completed");
    const healed = await system.untilCase(runId, ({ status }) => status === "discharged");
    expect(healed).toMatchObject({ operations: 1, cost: 0 });
    expect(healed.history[0]?.attempts).toMatchObject([{ procedure: "triage", outcome: "healed", diff: [] }]);
    expect(system.endpoint.questions).toEqual([]);
    expect(system.handled.at(-1)).toEqual(WHOLE);
  });

  it("is a person's after two tries, and no third is made", async () => {
    const system = await openWithTool({ limits: { surgeonResendMs: 1 } });
    system.startSurgeon();
    const { runId } = await system.submit(WHOLE);
    const left = await system.untilCase(runId, ({ status }) => status === "quarantined");
    expect(left).toMatchObject({ operations: 2, messages: 3 });
    expect(left.diagnosis).toContain("came back after 2 operations");
    // Three deliveries of each of three messages.
    expect(system.handled).toHaveLength(9);
  });
});

describe("a group that nothing but a model can heal", () => {
  it("is healed by it as a whole, although the dry run, which asks no model, says that none would pass", async () => {
    const system = await openSurgeonAtWork();
    const ids = ["A-1001", "A-1002", "A-1003", "A-1004"];
    const runs = await Promise.all(ids.map((order_id) => system.submit({ order_id }, QUERY_OF_SEATS)));
    await Promise.all(runs.map(({ runId }) => system.until(runId, ["quarantined"])));
    system.endpoint.answer = (input) => {
      const order_id = /A-\d{4}/.exec(String(input["message"]))?.[0];
      return repairWith({ order_id, seats: 3 });
    };
    const [group] = await system.store.cases.groups.list({ offset: 0, limit: 5 });
    const batches = groupBatches(system.store);
    const request = { fingerprint: group?.fingerprint ?? "", decision: "operate", by: "a", why: "" } as const;
    const { batch_id } = await batches.plan({ ...request, canary: 2, rate_per_second: 100 });
    const found = () => batches.find(batch_id);
    await expect.poll(found).toMatchObject({ state: "planned", checked: ids.length, would_pass: 0 });
    await batches.start(batch_id);
    await expect.poll(found).toMatchObject({ state: "look", decided: 2, went_on: 2 });
    await batches.start(batch_id);
    await expect.poll(found).toMatchObject({ state: "done", refused: 0, went_on: ids.length });
    for (const { runId } of runs) expect((await system.until(runId)).status).toBe("completed");
  });
});
