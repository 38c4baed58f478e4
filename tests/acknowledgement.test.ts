import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { fanOut, join } from "#shared/patterns";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { operateOn } from "./support/operate-on.ts";

/**
 * Pattern P15: accept or reject with a reason, fallbacks in order, a capable agent, an acknowledgement time-out, a
 * person.
 */

const Work = contract("work@1", z.object({ n: z.number() }));
const tried: string[] = [];

function worker(name: string, options: { rejects?: boolean; capabilities?: string[] } = {}) {
  return agent(`${name}@1`, {
    accepts: Work,
    capabilities: options.capabilities ?? [],
    handle: (_input, ctx) => {
      tried.push(name);
      return options.rejects === true ? ctx.reject(`${name} is busy`) : ctx.complete({ by: name });
    },
  });
}

function sender(to: string, capabilitiesRequired: string[] = [], others: string[] = []) {
  return agent("sender@1", {
    accepts: Work,
    to: Object.fromEntries([to, ...others].map((name) => [name, Work])),
    handle: (input, ctx) => ctx.handoff(to, input, { capabilitiesRequired }),
  });
}

beforeEach(() => {
  tried.length = 0;
});

describe("a handoff that its receiver does not take", () => {
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
    const { runId } = await system.submit({ n: 1 });
    expect(await system.until(runId)).toMatchObject({ status: "completed", result: { by: "third" } });
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
    const { runId } = await system.submit({ n: 1 });
    expect((await system.until(runId, ["quarantined"])).status).toBe("quarantined");
    expect(tried).toEqual(["first", "second"]);
  });

  it("counts as rejected when nobody accepts it in time, and a worker that comes later does nothing", async () => {
    const members = [sender("asleep"), worker("asleep"), worker("awake")];
    const system = createTestSystem(
      team("t", members, {
        fallbacks: { "sender>asleep": ["awake"] },
        acknowledgeWithinMs: { "sender>asleep": 100 },
      }),
    );
    operateOn(system);
    await system.start({ only: ["sender", "awake"] });
    const { runId } = await system.submit({ n: 1 });
    expect(await system.until(runId)).toMatchObject({ status: "completed", result: { by: "awake" } });
    await system.start({ only: ["asleep"] });
    const queue = system.store.queues.of("asleep", "fresh");
    await expect.poll(() => queue.getCompletedCount()).toBe(1);
    expect(tried).toEqual(["awake"]);
    const events = await system.store.runs.events(runId, { from: 0, limit: 50 });
    expect(events.find((event) => event.type === "rejected")?.detail).toMatchObject({
      code: "HANDOFF_NOT_ACKNOWLEDGED",
    });
  });

  it.each([1, 5])(
    "goes to a fallback as branch of a fan-out, %i at once, those that are started later too",
    async (window) => {
      const plan = agent("plan@1", {
        accepts: Work,
        to: { asleep: Work, merge: Work },
        handle: (input, ctx) =>
          fanOut({
            branches: Array.from({ length: 5 }, (_, n) => ctx.handoff("asleep", { n })),
            join: ctx.handoff("merge", input),
            window,
          }),
      });
      const doer = (name: string) =>
        agent(`${name}@1`, {
          accepts: Work,
          to: { merge: Work },
          handle: (input, ctx) => ctx.handoff("merge", input),
        });
      const merge = join("merge@1", {
        accepts: Work,
        collects: Work,
        handle: (_input, { answers }, ctx) =>
          ctx.complete(answers.map(({ agent: by, value }) => ({ by, n: value.n }))),
      });
      const system = createTestSystem(
        team("t", [plan, doer("asleep"), doer("awake"), merge], {
          fallbacks: { "plan>asleep": ["awake"] },
          acknowledgeWithinMs: { "plan>asleep": 100 },
        }),
      );
      operateOn(system);
      await system.start({ only: ["plan", "awake", "merge"] });
      const { runId } = await system.submit({ n: 1 });
      expect(await system.until(runId)).toMatchObject({
        status: "completed",
        result: Array.from({ length: 5 }, (_, n) => ({ by: "awake@1", n })),
      });
    },
  );
});
