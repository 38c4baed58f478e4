import { describe, expect, it } from "vitest";
import { auditRuns } from "#shared/store/upkeep";
import { createTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { decide } from "#shared/ward/decisions";
import type { DecisionKind } from "#shared/ward/decisions";
import { operateOn } from "../support/operate-on.ts";
import { failOn, createFanOutTeam } from "./fan-out-team.ts";
import type { Joined, FanOutTeamOptions } from "./fan-out-team.ts";

/** Branches that pass the ward: healed, given up, given back, or never decided on. The real surgeon is at work. */

const WAIT = { timeout: 60_000, interval: 50 };

interface Fixture {
  readonly system: TestSystem;
  readonly joined: readonly Joined[];
  cases(count: number): Promise<readonly WardCase[]>;
  decide(one: WardCase | undefined, decision: DecisionKind): Promise<void>;
}

async function openFixture(options: FanOutTeamOptions): Promise<Fixture> {
  const { team, joined } = createFanOutTeam(options);
  const system = createTestSystem(team);
  operateOn(system, { limits: { waitMsMin: 50 } });
  await system.start();
  const find = async (): Promise<WardCase[]> =>
    (await findCases(system.store, { filter: {}, limit: 100 })).cases;
  return {
    system,
    joined,
    async cases(count) {
      await expect
        .poll(async () => (await find()).filter(({ status }) => status === "quarantined").length, WAIT)
        .toBe(count);
      return (await find()).filter(({ status }) => status === "quarantined");
    },
    async decide(one, decision) {
      const case_id = one?.case_id ?? "";
      await decide(system.store, { case_id, decision, by: "ada", why: "a test" });
    },
  };
}

/** The fault of some branches is a person's matter: their handlers throw, and no payload is to blame. */
const BAD = failOn([1, 2]);

describe("a branch that lies in the ward", () => {
  it("is waited for, holds up no other, and is listed once a person has given it up", async () => {
    const fixture = await openFixture({ ...BAD, fan: { policy: "collect", window: 2 } });
    const { runId } = await fixture.system.submit({ n: 20 });
    const [first, second] = await fixture.cases(2);
    // Both places of the window lie in the ward; the other branches come back all the same.
    await expect
      .poll(async () => {
        const messages = await fixture.system.store.runs.messages(runId);
        return messages.filter(({ agent, state }) => agent === "merge" && state === "closed").length;
      }, WAIT)
      .toBe(18);
    expect(fixture.joined).toEqual([]);
    const { lost } = await auditRuns(fixture.system.store, (id) =>
      Promise.resolve(id === first?.message_id || id === second?.message_id),
    );
    expect(lost).toEqual([]);
    await fixture.decide(first, "discard");
    await fixture.decide(second, "discard");
    const run = await fixture.system.until(runId);
    expect(run).toMatchObject({ status: "completed", error: null, result: { answered: 18 } });
    expect(fixture.joined).toHaveLength(1);
    expect(fixture.joined[0]?.failures.map(({ index, reason }) => [index, reason])).toEqual([
      [1, "ended"],
      [2, "ended"],
    ]);
    const counts = await fixture.system.store.runs.counts();
    expect(counts).toMatchObject({ submitted: 1, completed: 1, failed: 0 });
  });

  it("counts when a person restores and releases it before the join is let go", async () => {
    let isFixed = false;
    const fixture = await openFixture({
      fan: { policy: "collect" },
      workMore: { deliveriesMax: 1 },
      work: ({ n }, ctx) => {
        if (n < 2 && !isFixed) throw new Error("cannot be done");
        return ctx.handoff("merge", { n, double: 2 * n });
      },
    });
    const { runId } = await fixture.system.submit({ n: 3 });
    const [first, second] = await fixture.cases(2);
    await fixture.decide(first, "discard");
    const { store } = fixture.system;
    const statusOf = async (): Promise<unknown> =>
      (await findCases(store, { filter: {}, limit: 10 })).cases.find(
        ({ case_id }) => case_id === first?.case_id,
      )?.status;
    await expect.poll(statusOf, WAIT).toBe("discarded");
    await fixture.decide(first, "restore");
    await expect.poll(statusOf, WAIT).toBe("quarantined");
    isFixed = true;
    await fixture.decide(first, "release");
    await fixture.decide(second, "release");
    const run = await fixture.system.until(runId);
    expect(run).toMatchObject({ status: "completed", result: { answered: 3, sum: 6 } });
    expect(fixture.joined).toHaveLength(1);
  });

  it("is healed like any message, on its way out and on its way back, and keeps its place", async () => {
    const fixture = await openFixture({
      fan: { window: 3 },
      // A number in words, and a number as text: neither passes its contract, both can be proved.
      piece: (n) => (n === 1 ? Object.assign({ n, note: "" }, { n: "1" }) : { n, note: "" }),
      work: ({ n }, ctx) =>
        ctx.handoff("merge", Object.assign({ n, double: 2 * n }, n === 3 ? { double: "6" } : {})),
    });
    const run = await fixture.system.run({ n: 5 });
    expect(run).toMatchObject({ status: "completed", result: { answered: 5, sum: 20 } });
    expect(fixture.joined[0]?.answers.map(({ index, value }) => [index, value.double])).toEqual([
      [0, 0],
      [1, 2],
      [2, 4],
      [3, 6],
      [4, 8],
    ]);
    expect(await fixture.system.store.cases.counts()).toMatchObject({ discharged: 2, quarantined: 0 });
  });
});
