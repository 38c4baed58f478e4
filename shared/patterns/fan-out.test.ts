import { describe, expect, it, onTestFinished } from "vitest";
import { setClock } from "#shared/clock";
import { agent, team } from "#shared/runtime";
import { auditRuns } from "#shared/store/upkeep";
import { createTestSystem, startTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { Brief, createFanOutTeam, Made, Order, Piece, sumOf } from "../../tests/patterns/fan-out-team.ts";
import { FanOutInvalidError } from "./errors.ts";
import { fanOut } from "./fan-out.ts";

async function checkNothingLost(system: TestSystem): Promise<void> {
  expect((await auditRuns(system.store, () => Promise.resolve(false))).lost).toEqual([]);
}

/** Returns the outcomes of the messages that came to the join of a run, in the order in which they were told. */
async function collectedIn(system: TestSystem, runId: string): Promise<unknown[]> {
  const events = await system.store.runs.events(runId, { from: 0, limit: 5000 });
  return events.filter(({ detail }) => "as" in detail).map(({ detail }) => detail["as"]);
}

describe("a fan-out", () => {
  it.each([0, 1, 3, 50])("of %i branches comes together in one join", async (n) => {
    const { team: shop, joined } = createFanOutTeam({ fan: { window: 7 } });
    const system = await startTestSystem(shop);
    expect(await system.run({ n })).toMatchObject({
      status: "completed",
      result: { of: n, sum: sumOf(n), answered: n },
    });
    expect(joined).toHaveLength(1);
    expect(joined[0]?.answers.map(({ index }) => index)).toEqual(Array.from({ length: n }, (_, i) => i));
    await checkNothingLost(system);
  });

  it("of 500 branches of 3 KB comes together, with never more under way than its window", async () => {
    let underWay = 0;
    let most = 0;
    const { team: shop, joined } = createFanOutTeam({
      fan: { window: 16 },
      piece: (n) => ({ n, note: "x".repeat(3000) }),
      work: async ({ n }, ctx) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise(setImmediate);
        underWay -= 1;
        return ctx.handoff("merge", { n, double: 2 * n });
      },
    });
    const system = await startTestSystem(shop);
    const { runId, envelope } = await system.submit({ n: 500 });
    const run = await system.until(runId);
    expect(run).toMatchObject({ status: "completed", result: { sum: sumOf(500) } });
    expect(joined).toHaveLength(1);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(16);
    const messages = await system.store.runs.messages(runId);
    // The first, 500 branches, 500 answers and the join: ordinary messages, counted as such.
    expect(messages).toHaveLength(1002);
    expect(messages.every(({ state }) => state === "closed")).toBe(true);
    expect(messages.map(({ message_id }) => message_id)).toContain(envelope.meta.message_id);
    await checkNothingLost(system);
  });
});

/** Lets so much time pass at once for everything that reads the clock, until the test is over. */
function letPass(ms: number): void {
  onTestFinished(setClock({ now: () => Date.now() + ms }));
}

/** No check of the clock against that of Redis, which these tests move. */
const UNWATCHED = { guard: { clockCheckMs: 3_600_000 } };

describe("a fan-out that does not wait for all", () => {
  it("goes on with a quorum, and those that come later change nothing", async () => {
    const gate = Promise.withResolvers<void>();
    const { team: shop, joined } = createFanOutTeam({
      fan: { policy: { quorum: 3 } },
      work: async ({ n }, ctx) => {
        if (n >= 3) await gate.promise;
        return ctx.handoff("merge", { n, double: 2 * n });
      },
    });
    const system = await startTestSystem(shop);
    const { runId } = await system.submit({ n: 5 });
    await expect.poll(() => joined.length).toBe(1);
    expect(joined[0]).toMatchObject({
      isMet: true,
      failures: [
        { index: 3, reason: "unanswered" },
        { index: 4, reason: "unanswered" },
      ],
    });
    gate.resolve();
    expect(await system.until(runId)).toMatchObject({ status: "completed", result: { sum: 6, answered: 3 } });
    expect(joined).toHaveLength(1);
    const collected = await collectedIn(system, runId);
    expect(collected.filter((how) => how === "counted")).toHaveLength(3);
    expect(collected.filter((how) => how === "late")).toHaveLength(2);
    expect(collected).toHaveLength(5);
  });

  it("is let go at its deadline with what is there; what was not started never is", async () => {
    const gate = Promise.withResolvers<void>();
    const begun = new Set<number>();
    const { team: shop, joined } = createFanOutTeam({
      fan: { policy: "collect", deadlineMs: 60_000, window: 3 },
      work: async ({ n }, ctx) => {
        begun.add(n);
        if (n > 0) await gate.promise;
        return ctx.handoff("merge", { n, double: 2 * n });
      },
    });
    const system = await startTestSystem(shop, UNWATCHED);
    const { runId } = await system.submit({ n: 10 });
    await expect.poll(() => begun.size).toBe(4);
    letPass(60_000);
    await expect.poll(() => joined.length).toBe(1);
    gate.resolve();
    expect(await system.until(runId)).toMatchObject({ status: "completed", result: { answered: 1 } });
    expect(joined[0]?.failures.map(({ reason }) => reason)).toEqual([
      ...Array.from({ length: 3 }, () => "unanswered"),
      ...Array.from({ length: 6 }, () => "not_started"),
    ]);
    expect([...begun]).toEqual([0, 1, 2, 3]);
    expect(joined).toHaveLength(1);
  });

  it("ends as its run does when that is cancelled, with branches under way and branches not started", async () => {
    const gate = Promise.withResolvers<void>();
    let begun = 0;
    const { team: shop, joined } = createFanOutTeam({
      fan: { window: 2 },
      work: async ({ n }, ctx) => {
        begun += 1;
        await gate.promise;
        return ctx.handoff("merge", { n, double: 2 * n });
      },
    });
    const system = await startTestSystem(shop);
    const { runId } = await system.submit({ n: 40 });
    await expect.poll(() => begun).toBe(2);
    await system.store.runs.cancel({ runId, by: "ada", markLifeMs: 60_000 });
    gate.resolve();
    expect((await system.until(runId)).status).toBe("cancelled");
    expect(begun).toBe(2);
    expect(joined).toEqual([]);
    await checkNothingLost(system);
  });
});

describe("a branch", () => {
  it("that comes back twice counts once, whatever the second one says", async () => {
    const { team: shop, joined } = createFanOutTeam({
      fan: { window: 1 },
      work: ({ n }, ctx) => {
        const [one, two] = [1, 1000].map((by) => ctx.handoff("merge", { n, double: by * n }));
        if (one?.kind !== "handed_off" || two?.kind !== "handed_off") throw new Error("no handoff");
        return { kind: "handed_off", handoffs: [...one.handoffs, ...two.handoffs] };
      },
    });
    const system = await startTestSystem(shop);
    const run = await system.run({ n: 4 });
    expect(run.status).toBe("completed");
    expect(joined).toHaveLength(1);
    expect(joined[0]?.answers.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    const as = await collectedIn(system, run.run_id);
    expect(as.filter((one) => one === "counted")).toHaveLength(4);
    expect(as).toHaveLength(8);
  });

  it("that completes elsewhere has failed, and its result is not that of the run", async () => {
    const { team: shop, joined } = createFanOutTeam({
      fan: { policy: "collect" },
      work: ({ n }, ctx) =>
        n === 1 ? ctx.complete({ mine: true }) : ctx.handoff("merge", { n, double: 2 * n }),
    });
    const system = await startTestSystem(shop);
    expect(await system.run({ n: 3 })).toMatchObject({ status: "completed", result: { sum: 4 } });
    expect(joined[0]?.failures).toEqual([{ index: 1, reason: "elsewhere" }]);
  });

  it("that expires on its own has failed, and the run has not", async () => {
    const { team: shop, joined } = createFanOutTeam({
      fan: { policy: "collect" },
      workMore: { ttlMs: 1000 },
    });
    const system = createTestSystem(shop);
    const only = ["cut"];
    const first = await system.start({ only });
    const { runId } = await system.submit({ n: 3 });
    await expect.poll(async () => (await system.store.runs.messages(runId)).length).toBe(5);
    await first.stop(0);
    letPass(1000);
    await system.start(UNWATCHED);
    expect(await system.until(runId)).toMatchObject({ status: "completed", error: null });
    expect(joined[0]).toMatchObject({ isMet: true, answers: [] });
    expect(joined[0]?.failures).toEqual(
      [0, 1, 2].map((index) => ({ index, reason: "ended", code: "ENVELOPE_EXPIRED" })),
    );
  });
});

describe("a fan-out that is asked for badly", () => {
  const handoff = { kind: "handed_off", handoffs: [] } as const;

  it.each([
    { field: "window", options: { window: 0 } },
    { field: "window", options: { window: 1.5 } },
    { field: "deadlineMs", options: { deadlineMs: -1 } },
    { field: "answersBytesMax", options: { answersBytesMax: 0 } },
    { field: "quorum", options: { policy: { quorum: 3 } } },
    { field: "join", options: { join: handoff } },
    { field: "branches", options: { branches: [{ kind: "completed", result: 1 } as const] } },
  ])("is refused with the name of the field: $field", ({ field, options }) => {
    const one = { to: "merge", contract: Brief, payload: { of: 1 }, options: {} };
    const sound = { kind: "handed_off", handoffs: [one] } as const;
    const error = catching(() => fanOut({ branches: [sound, sound], join: sound, ...options }));
    expect(error).toBeInstanceOf(FanOutInvalidError);
    expect(error).toMatchObject({ issues: [{ path: `/${field}` }] });
  });

  it("waits for a person when it is a bomb: more of one message, or of one run, than is declared", async () => {
    const { team: shop, joined } = createFanOutTeam({ handoffsMax: 10 });
    const system = await startTestSystem(shop);
    const { runId } = await system.submit({ n: 10 });
    expect((await system.until(runId, ["quarantined"])).status).toBe("quarantined");
    const events = await system.store.runs.events(runId, { from: 0, limit: 100 });
    expect(events.at(-1)?.detail).toMatchObject({
      code: "HANDOFF_BUDGET_EXCEEDED",
      paths: ["/cut@1/handoffsMax"],
    });
    expect(joined).toEqual([]);
  });

  it("stops a run that splits again and again, exactly at what its team allows", async () => {
    const bomb = agent("bomb@1", {
      accepts: Order,
      to: { bomb: Order },
      handle: ({ n }, ctx) => {
        const drafts = [1, 2, 3].flatMap(() => {
          const made = ctx.handoff("bomb", { n: n + 1 });
          return made.kind === "handed_off" ? made.handoffs : [];
        });
        return { kind: "handed_off", handoffs: drafts };
      },
    });
    const system = createTestSystem(
      team("bombs", [bomb], { loops: ["bomb>bomb"], handoffsMax: 100, onLimit: { budget_exceeded: "end" } }),
    );
    await system.start();
    const run = await system.run({ n: 0 }, { hopsMax: 100 });
    expect(run).toMatchObject({ status: "failed", error: { code: "HANDOFF_BUDGET_EXCEEDED" } });
    // The first, and as many times three as fit into a hundred.
    expect(await system.store.runs.messages(run.run_id)).toHaveLength(1 + 99);
  });

  it("is refused when its join collects nothing, and a message that is no branch when it comes to a join", async () => {
    const lost = agent("lost@1", {
      accepts: Order,
      to: { work: Piece },
      handle: ({ n }, ctx) =>
        fanOut({
          branches: [ctx.handoff("work", { n, note: "" })],
          join: ctx.handoff("work", { n, note: "" }),
        }),
    });
    const stray = agent("stray@1", {
      accepts: Order,
      to: { lost: Order, merge: Made },
      handle: ({ n }, ctx) => (n === 0 ? ctx.handoff("merge", { n, double: 1 }) : ctx.handoff("lost", { n })),
    });
    const { team: shop } = createFanOutTeam();
    const members = [stray, lost, ...[...shop.agents.values()].filter(({ name }) => name !== "cut")];
    const system = await startTestSystem(team("strays", members), {}, { retry: { deliveriesMax: 1 } });
    const codeOf = async (n: number): Promise<unknown> => {
      const { runId } = await system.submit({ n });
      await system.until(runId, ["in_ward", "quarantined"]);
      const events = await system.store.runs.events(runId, { from: 0, limit: 100 });
      return events.findLast(({ detail }) => "code" in detail)?.detail["code"];
    };
    expect(await codeOf(0)).toBe("CONTRACT_UNKNOWN");
    expect(await codeOf(1)).toBe("FAN_OUT_JOIN_UNDECLARED");
  });
});

function catching(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
