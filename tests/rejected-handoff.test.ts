import { beforeEach, describe, expect, it, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem, startTestSystem } from "#shared/testing";
import type { TestSystem } from "#shared/testing";
import { operateOn } from "./support/operate-on.ts";
import { spawnAgents, whenGone } from "./support/service-process.ts";
import able, { begun, refusing, WELDERS, Work } from "./support/able-team/able/team.ts";

describe("a handoff that its receiver does not take", () => {
  /** Pattern P15: accept or reject with a reason, fallbacks in order, a capable agent, a person. */
  const Job = contract("work@1", z.object({ n: z.number() }));

  const tried: string[] = [];

  function worker(name: string, options: { rejects?: boolean; capabilities?: string[] } = {}) {
    return agent(`${name}@1`, {
      accepts: Job,
      capabilities: options.capabilities ?? [],
      handle: (_input, ctx) => {
        tried.push(name);
        return options.rejects === true ? ctx.reject(`${name} is busy`) : ctx.complete({ by: name });
      },
    });
  }

  function sender(to: string, capabilitiesRequired: string[] = [], others: string[] = []) {
    return agent("sender@1", {
      accepts: Job,
      to: Object.fromEntries([to, ...others].map((name) => [name, Job])),
      handle: (input, ctx) => ctx.handoff(to, input, { capabilitiesRequired }),
    });
  }

  beforeEach(() => {
    tried.length = 0;
  });

  it("goes to the sender's fallbacks in order, and the run ends well", async () => {
    const members = [
      sender("first"),
      worker("first", { rejects: true }),
      worker("second", { rejects: true }),
      worker("third"),
    ];
    const system = createTestSystem(
      team("t", members, { fallbacks: { "sender>first": ["second", "third"] } }),
    );
    operateOn(system);
    await system.start();
    expect(await system.run({ n: 1 })).toMatchObject({ status: "completed", result: { by: "third" } });
    expect(tried).toEqual(["first", "second", "third"]);
  });

  it("waits for a person when everybody has refused", async () => {
    const members = [
      sender("first"),
      worker("first", { rejects: true }),
      worker("second", { rejects: true }),
    ];
    const system = createTestSystem(team("t", members, { fallbacks: { "sender>first": ["second"] } }));
    operateOn(system);
    await system.start();
    expect((await system.run({ n: 1 }, {}, ["quarantined"])).status).toBe("quarantined");
    expect(tried).toEqual(["first", "second"]);
  });
});

describe("a receiver that is named by capability alone", () => {
  /** Pattern P15 without a named receiver: any agent at work that has the capability, exactly one. */

  beforeEach(() => {
    begun.length = 0;
    refusing.clear();
  });

  async function receiverOf(system: TestSystem, runId: string): Promise<unknown> {
    const run = await system.until(runId);
    expect(run.status).toBe("completed");
    return (run.result as { readonly by: string }).by;
  }

  describe("a handoff by capability", () => {
    it("reaches one of those that have it, each message once, and spreads over them", async () => {
      const system = await startTestSystem(able);
      const runs = await Promise.all(Array.from({ length: 24 }, (_, n) => system.submit({ n })));
      const by = await Promise.all(runs.map(({ runId }) => receiverOf(system, runId)));
      expect(new Set(by)).toEqual(new Set(WELDERS));
      expect(begun.length).toBe(24);
    });

    it("passes over agents that are not at work or paused", async () => {
      const system = createTestSystem(able);
      // Welder a is in the registry of no process; welder b is paused.
      await system.start({ only: ["able-desk", "welder-b", "welder-c"] });
      await system.store.queues.of("welder-b", "fresh").pause();
      const runs = await Promise.all(Array.from({ length: 8 }, (_, n) => system.submit({ n })));
      for (const { runId } of runs) expect(await receiverOf(system, runId)).toBe("welder-c");
    });

    it("goes to another one when the first rejects it, and to a person when all have", async () => {
      const system = createTestSystem(able);
      operateOn(system);
      await system.start();
      refusing.add("welder-a").add("welder-b");
      const runs = await Promise.all(Array.from({ length: 4 }, (_, n) => system.submit({ n })));
      for (const { runId } of runs) expect(await receiverOf(system, runId)).toBe("welder-c");
      refusing.add("welder-c");
      expect((await system.run({ n: 9 }, {}, ["quarantined"])).status).toBe("quarantined");
    });
  });

  async function eventsOf(system: TestSystem, runId: string): Promise<string[]> {
    const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
    return events.map(({ type }) => type);
  }

  async function nextOf(system: TestSystem, runId: string): Promise<unknown> {
    const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
    const detail = events.find(({ type }) => type === "handed_off")?.detail ?? {};
    // `closingChange` writes this for a handoff.
    const { next } = detail as { readonly next?: readonly { readonly agent: string }[] };
    return next?.[0]?.agent;
  }

  test("a sender that is killed after it chose sends to the same one when it comes again", async () => {
    const system = createTestSystem(able);
    const desk = (env: Record<string, string>) =>
      spawnAgents(system, ["able-desk"], { SUTURE_TEAMS: "tests/support/able-team", ...env });
    const processes = new Map<string, Awaited<ReturnType<TestSystem["start"]>>>();
    for (const name of WELDERS) processes.set(name, await system.start({ only: [name] }));
    const { runId, envelope } = await system.submit({ n: 1 });
    await whenGone(desk({ SUTURE_CRASH_POINT: "W9:before_commit kill 1" }));
    const ledger = await system.store.redis.hgetall(
      system.store.keys.ledger("able-desk", envelope.meta.message_id),
    );
    const recorded = Object.entries(ledger).find(([field]) => field.endsWith("capable"))?.[1];
    const chosen: string = JSON.parse(recorded ?? "{}")["0/welding"];
    expect(WELDERS).toContain(chosen);
    // The chosen one is gone: a second choice would fall on another.
    await processes.get(chosen)?.stop(0);
    desk({});
    await expect.poll(() => eventsOf(system, runId)).toContain("handed_off");
    expect(await nextOf(system, runId)).toBe(chosen);
    await system.start({ only: [chosen] });
    expect(await receiverOf(system, runId)).toBe(chosen);
    expect(begun).toEqual([{ by: chosen, n: 1 }]);
  });

  describe("a team that hands on by capability", () => {
    const Other = contract("able.other@1", z.object({ m: z.number() }));
    const desk = agent("d@1", {
      accepts: Work,
      toCapable: { welding: Work },
      handle: (work, ctx) => ctx.handoff({ capability: "welding" }, work),
    });
    const welder = (accepts: typeof Work | typeof Other) =>
      agent("w@1", { accepts, capabilities: ["welding"], handle: (work, ctx) => ctx.complete(work) });

    it("is refused at start where nobody has the capability, or accepts another contract", () => {
      expect(() => team("t", [desk])).toThrow(/a capability that no other agent has/);
      expect(() => team("t", [desk, welder(Other)])).toThrow(/accepts able.other@1, not able.work@1/);
    });
  });
});
