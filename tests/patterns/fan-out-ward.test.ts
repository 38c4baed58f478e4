import { describe, expect, it } from "vitest";
import { auditRuns } from "#shared/store/upkeep";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { decide } from "#shared/ward/decisions";
import type { DecisionKind } from "#shared/ward/decisions";
import { operateOn } from "../support/operate-on.ts";
import { failOn, openWorkshop } from "./workshop.ts";
import type { Joined, WorkshopOptions } from "./workshop.ts";

/** Branches that pass the ward: healed, given up, given back, or never decided on. The real surgeon is at work. */

const WAIT = { timeout: 60_000, interval: 50 };

interface Stage {
  readonly world: TestSystem;
  readonly joined: readonly Joined[];
  cases(count: number): Promise<readonly WardCase[]>;
  decide(one: WardCase | undefined, decision: DecisionKind): Promise<void>;
}

async function openStage(options: WorkshopOptions): Promise<Stage> {
  const { team, joined } = openWorkshop(options);
  const world = createTestSystem(team);
  operateOn(world, { waitMsMin: 50 });
  await world.start();
  const find = async (): Promise<WardCase[]> =>
    (await findCases(world.store, { filter: {}, limit: 100 })).cases;
  return {
    world,
    joined,
    async cases(count) {
      await expect
        .poll(async () => (await find()).filter(({ status }) => status === "quarantined").length, WAIT)
        .toBe(count);
      return (await find()).filter(({ status }) => status === "quarantined");
    },
    async decide(one, decision) {
      const case_id = one?.case_id ?? "";
      await decide(world, { case_id, decision, by: "ada", why: "a test" });
    },
  };
}

/** The fault of some branches is a person's matter: their handlers throw, and no payload is to blame. */
const BAD = failOn([1, 2]);

describe("a branch that lies in the ward", () => {
  it("is waited for, holds up no other, and is listed once a person has given it up", async () => {
    const stage = await openStage({ ...BAD, fan: { policy: "collect", window: 2 } });
    const { runId } = await stage.world.submit({ n: 20 });
    const [first, second] = await stage.cases(2);
    // Both places of the window lie in the ward; the other branches come back all the same.
    await expect
      .poll(async () => {
        const messages = await stage.world.store.runs.messages(runId);
        return messages.filter(({ agent, state }) => agent === "merge" && state === "closed").length;
      }, WAIT)
      .toBe(18);
    expect(stage.joined).toEqual([]);
    const { lost } = await auditRuns(stage.world.store, (id) =>
      Promise.resolve(id === first?.message_id || id === second?.message_id),
    );
    expect(lost).toEqual([]);
    await stage.decide(first, "discard");
    await stage.decide(second, "discard");
    const run = await stage.world.until(runId);
    expect(run).toMatchObject({ status: "completed", error: null, result: { answered: 18 } });
    expect(stage.joined).toHaveLength(1);
    expect(stage.joined[0]?.failures.map(({ index, reason }) => [index, reason])).toEqual([
      [1, "ended"],
      [2, "ended"],
    ]);
    const counts = await stage.world.store.runs.counts();
    expect(counts).toMatchObject({ submitted: 1, completed: 1, failed: 0 });
  });

  it("fails a run that needs all of them when a person gives it up, and says how many came back", async () => {
    const stage = await openStage({ ...failOn([2]) });
    const { runId } = await stage.world.submit({ n: 4 });
    const [only] = await stage.cases(1);
    await stage.decide(only, "discard");
    const run = await stage.world.until(runId);
    expect(run).toMatchObject({ status: "failed", error: { code: "FAN_OUT_UNMET" } });
    expect(stage.joined).toEqual([]);
  });

  it("is left to a join that handles it, where the join declares so", async () => {
    const stage = await openStage({ ...failOn([2]), onUnmet: "handle" });
    const { runId } = await stage.world.submit({ n: 4 });
    const [only] = await stage.cases(1);
    await stage.decide(only, "discard");
    const run = await stage.world.until(runId);
    expect(run).toMatchObject({ status: "completed", result: { answered: 3 } });
    expect(stage.joined).toMatchObject([{ isMet: false, total: 4 }]);
  });

  it("counts when a person restores and releases it before the join is let go", async () => {
    let isFixed = false;
    const stage = await openStage({
      fan: { policy: "collect" },
      workMore: { deliveriesMax: 1 },
      work: ({ n }, ctx) => {
        if (n < 2 && !isFixed) throw new Error("cannot be done");
        return ctx.handoff("merge", { n, double: 2 * n });
      },
    });
    const { runId } = await stage.world.submit({ n: 3 });
    const [first, second] = await stage.cases(2);
    await stage.decide(first, "discard");
    const { store } = stage.world;
    const statusOf = async (): Promise<unknown> =>
      (await findCases(store, { filter: {}, limit: 10 })).cases.find(
        ({ case_id }) => case_id === first?.case_id,
      )?.status;
    await expect.poll(statusOf, WAIT).toBe("discarded");
    await stage.decide(first, "restore");
    await expect.poll(statusOf, WAIT).toBe("quarantined");
    isFixed = true;
    await stage.decide(first, "release");
    await stage.decide(second, "release");
    const run = await stage.world.until(runId);
    expect(run).toMatchObject({ status: "completed", result: { answered: 3, sum: 6 } });
    expect(stage.joined).toHaveLength(1);
  });

  it("is healed like any message, on its way out and on its way back, and keeps its place", async () => {
    const stage = await openStage({
      fan: { window: 3 },
      // A number in words, and a number as text: neither passes its contract, both can be proved.
      piece: (n) => (n === 1 ? Object.assign({ n, note: "" }, { n: "1" }) : { n, note: "" }),
      work: ({ n }, ctx) =>
        ctx.handoff("merge", Object.assign({ n, double: 2 * n }, n === 3 ? { double: "6" } : {})),
    });
    const { runId } = await stage.world.submit({ n: 5 });
    const run = await stage.world.until(runId);
    expect(run).toMatchObject({ status: "completed", result: { answered: 5, sum: 20 } });
    expect(stage.joined[0]?.answers.map(({ index, value }) => [index, value.double])).toEqual([
      [0, 0],
      [1, 2],
      [2, 4],
      [3, 6],
      [4, 8],
    ]);
    expect(await stage.world.store.cases.counts()).toMatchObject({ discharged: 2, quarantined: 0 });
  });

  it("is late when it is released after the join was let go, and its run ends well", async () => {
    let isFixed = false;
    const stage = await openStage({
      fan: { policy: { quorum: 2 } },
      workMore: { deliveriesMax: 1 },
      work: ({ n }, ctx) => {
        if (n === 0 && !isFixed) throw new Error("cannot be done");
        return ctx.handoff("merge", { n, double: 2 * n });
      },
    });
    const { runId } = await stage.world.submit({ n: 3 });
    const [only] = await stage.cases(1);
    await expect.poll(() => stage.joined.length, WAIT).toBe(1);
    // The message is not forgotten: its run waits for what a person decides.
    expect((await stage.world.until(runId, ["quarantined"])).status).toBe("quarantined");
    isFixed = true;
    await stage.decide(only, "release");
    expect(await stage.world.until(runId)).toMatchObject({ status: "completed", result: { answered: 2 } });
    expect(stage.joined).toHaveLength(1);
  });
});
