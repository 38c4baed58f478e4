import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { bestOf, majorityVote, rubric } from "#shared/patterns/ensemble";
import type { MajorityVoteOptions, Voter } from "#shared/patterns/ensemble";
import { agent, team } from "#shared/runtime";
import type { Context, HandlerOutcome, Team } from "#shared/runtime";
import type { CompletionRequest } from "../support/model-endpoint.ts";
import { openModelSystem } from "../support/open-model-system.ts";

/** Pattern P11 on a real Redis and a real endpoint: votes are recorded steps, and none is paid for twice. */

const Ticket = contract("ticket@1", z.object({ text: z.string() }));
const Severity = contract("severity@1", z.object({ severity: z.string() }));
const Draft = contract("draft@1", z.object({ text: z.string() }));
const QUALITY = rubric("quality@1", [
  { name: "correct", asks: "Says what is true.", weight: 3 },
  { name: "short", asks: "Says it in few words." },
]);

type Handle = (ctx: Context, deliveries: number) => Promise<HandlerOutcome>;

/** One agent whose handler is the test's, at an endpoint that answers by the number of the voter. */
async function openPanel(handle: Handle) {
  let deliveries = 0;
  const judge = agent("panel@1", {
    accepts: Ticket,
    answers: [Severity, Draft, QUALITY.contract],
    handle: (_input, ctx) => handle(ctx, (deliveries += 1)),
  });
  const panel: Team = team("panel", [judge]);
  const { system, endpoint } = await openModelSystem(panel);
  return { system, endpoint };
}

function instructionsOf({ messages }: CompletionRequest): string {
  return messages.find(({ role }) => role === "system")?.content ?? "";
}

/** Voters told apart by their instructions, so that the endpoint knows whom it answers. */
function named(...names: readonly string[]): Voter[] {
  return names.map((name) => ({ instructions: name }));
}

const vote = (
  ctx: Context,
  options: Partial<MajorityVoteOptions<typeof Severity>> & { readonly voters: readonly Voter[] },
) =>
  majorityVote(ctx, {
    step: "severity",
    instructions: "",
    input: {},
    answers: Severity,
    vote: (answer) => answer.severity,
    ...options,
  });

describe("a majority vote", () => {
  it("stops as soon as the rest cannot change it, and takes votes for what they mean", async () => {
    const { system, endpoint } = await openPanel(async (ctx) =>
      ctx.complete(await vote(ctx, { voters: named("High.", "HIGH", " high! ", "low", "low") })),
    );
    endpoint.behave = ({ body }) => JSON.stringify({ severity: instructionsOf(body).split("\n")[0] });
    const run = await system.run({ text: "it burns" });
    expect(run.result).toMatchObject({ label: "high", votes: ["high", "high", "high"], voters: 5 });
    expect(endpoint.seen).toHaveLength(3);
  });

  it("pays for no vote twice when its handler dies in the middle and comes again", async () => {
    const { system, endpoint } = await openPanel(async (ctx, deliveries) => {
      if (deliveries === 1) {
        // The voters of the first wave are asked, then the handler fails.
        await vote(ctx, { voters: named("high", "low", "high") }).catch(() => undefined);
        throw new Error("died");
      }
      return ctx.complete(await vote(ctx, { voters: named("high", "low", "high") }));
    });
    endpoint.behave = ({ body }) => JSON.stringify({ severity: instructionsOf(body).split("\n")[0] });
    const run = await system.run({ text: "it burns" });
    expect(run).toMatchObject({ status: "completed", result: { label: "high" } });
    expect(endpoint.seen).toHaveLength(3);
    expect(run.tokens).toBe(3 * 120);
  });

  it.each([
    { rule: "fail", onTie: "fail" as const, expected: "VOTE_TIED" },
    { rule: "first", onTie: "first" as const, expected: "high" },
    { rule: "a function", onTie: (labels: readonly string[]) => labels.toSorted()[1] ?? "", expected: "low" },
  ])("ends in a tie as it declares: $rule", async ({ onTie, expected }) => {
    const { system, endpoint } = await openPanel(async (ctx) => {
      const verdict = await vote(ctx, { voters: named("high", "low"), onTie }).catch(
        (error: unknown) => error,
      );
      return ctx.complete(verdict instanceof Error ? verdict.name : Reflect.get(Object(verdict), "label"));
    });
    endpoint.behave = ({ body }) => JSON.stringify({ severity: instructionsOf(body).split("\n")[0] });
    expect((await system.run({ text: "it burns" })).result).toBe(expected);
  });
});

describe("the best of several answers", () => {
  it("is the one that judges score best by the rubric, wherever they were shown it", async () => {
    const { system, endpoint } = await openPanel(async (ctx) =>
      ctx.complete(
        await bestOf(ctx, {
          step: "draft",
          instructions: "",
          input: { task: "explain" },
          answers: Draft,
          voters: named("long and wrong", "true", "true but very long"),
          rubric: QUALITY,
          judge: { instructions: "Judge drafts.", tier: "surgeon", judges: 2 },
        }),
      ),
    );
    const orders: string[][] = [];
    endpoint.behave = ({ body, schemaName }) => {
      if (schemaName.startsWith("draft"))
        return JSON.stringify({ text: instructionsOf(body).split("\n")[0] });
      const user = body.messages.find(({ role }) => role === "user")?.content ?? "{}";
      const shown: { candidate: number; content: { text: string } }[] = JSON.parse(user).candidates;
      orders.push(shown.map(({ content }) => content.text));
      return JSON.stringify({
        scores: shown.flatMap(({ candidate, content }) => [
          { candidate, criterion: "correct", score: content.text.includes("true") ? 9 : 1 },
          { candidate, criterion: "short", score: content.text.includes("long") ? 2 : 8 },
        ]),
      });
    };
    expect((await system.run({ text: "x" })).result).toMatchObject({
      answer: { text: "true" },
      voter: 1,
      scores: [1.25, 8.75, 7.25],
    });
    expect(orders[0]).toEqual(orders[1]?.toReversed());
  });
});

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
