import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem, startTestSystem } from "#shared/testing";
import { supervisor } from "./supervisor.ts";
import type { SupervisorOptions } from "./supervisor.ts";

const Goal = contract("goal@1", z.object({ topic: z.string() }));
const Topic = contract("topic@1", z.object({ topic: z.string() }));
const Found = contract("found@1", z.object({ text: z.string() }));

type Decide = SupervisorOptions<typeof Goal, typeof Found>["decide"];

function openSupervised(decide: Decide, more: Partial<SupervisorOptions<typeof Goal, typeof Found>> = {}) {
  const asked: string[] = [];
  const worker = (name: string, answer: (topic: string) => string | null) =>
    agent(`${name}@1`, {
      accepts: Topic,
      to: { "editor-review": Found },
      handle: ({ topic }, ctx) => {
        asked.push(name);
        const text = answer(topic);
        return text === null ? ctx.complete(null) : ctx.handoff("editor-review", { text });
      },
    });
  const editor = supervisor("editor", {
    accepts: Goal,
    workers: { library: Topic, web: Topic, writer: Topic },
    collects: Found,
    decide,
    ...more,
  });
  const archive = agent("archive@1", {
    accepts: Topic,
    handle: ({ topic }, ctx) => ctx.complete({ kept: topic }),
  });
  const members = [
    ...editor.agents,
    archive,
    worker("library", () => null),
    worker("web", (topic) => `facts of ${topic}`),
    worker("writer", (topic) => `text of ${topic}`),
  ];
  const retry = { deliveriesMax: more.handsOnTo === undefined ? 3 : 1 };
  return { system: createTestSystem(team("office", members, { loops: editor.loops }), { retry }), asked };
}

describe("a supervisor", () => {
  it("plans, delegates, reviews and finishes, and asks another where a worker failed", async () => {
    const decisions: number[] = [];
    const { system, asked } = openSupervised(({ goal, done, round }) => {
      decisions.push(round);
      const found = done.filter(({ result }) => result !== null);
      if (done.length === 0) return { delegate: [{ worker: "library", payload: goal, others: ["web"] }] };
      if (found.length === 1)
        return { delegate: [{ worker: "writer", payload: { topic: found[0]?.result?.text ?? "" } }] };
      return {
        finish: {
          text: found.at(-1)?.result?.text,
          rounds: round,
          failed: done.filter(({ failure }) => failure),
        },
      };
    });
    await system.start();
    expect(await system.run({ topic: "sutures" })).toMatchObject({
      status: "completed",
      result: {
        text: "text of facts of sutures",
        rounds: 3,
        failed: [{ round: 1, worker: "library", failure: "elsewhere", result: null }],
      },
    });
    expect(asked).toEqual(["library", "web", "writer"]);
    // The second worker was asked without another decision.
    expect(decisions).toEqual([0, 2, 3]);
  });

  it("resumes in the middle of its plan: a review that dies decides no step anew", async () => {
    const paid: string[] = [];
    let deaths = 0;
    const { system, asked } = openSupervised(async ({ round, done }, ctx) => {
      const next = await ctx.step(`decide-${round}`, () => {
        paid.push(`decide-${round}`);
        return round < 2;
      });
      if (round === 1 && (deaths += 1) === 1) throw new Error("died");
      return next
        ? { delegate: [{ worker: "web", payload: { topic: `of round ${round}` } }] }
        : { finish: done.map(({ result }) => result?.text) };
    });
    await system.start();
    expect((await system.run({ topic: "x" })).result).toEqual(["facts of of round 0", "facts of of round 1"]);
    expect(paid).toEqual(["decide-0", "decide-1", "decide-2"]);
    expect(asked).toEqual(["web", "web"]);
  });

  it("goes on without a worker that does not come back in time", async () => {
    const gate = Promise.withResolvers<void>();
    const stuck = agent("stuck@1", {
      accepts: Topic,
      to: { "editor-review": Found },
      handle: async (_topic, ctx) => {
        await gate.promise;
        return ctx.handoff("editor-review", { text: "late" });
      },
    });
    const editor = supervisor("editor", {
      accepts: Goal,
      workers: { stuck: Topic },
      collects: Found,
      roundMs: 500,
      decide: ({ done }) =>
        done.length === 0
          ? { delegate: [{ worker: "stuck", payload: { topic: "x" } }] }
          : { finish: done.map(({ failure }) => failure) },
    });
    const system = await startTestSystem(team("office", [...editor.agents, stuck], { loops: editor.loops }));
    const { runId } = await system.submit({ topic: "x" });
    const resultOf = async () => (await system.store.runs.get(runId)).result;
    // A machine that is busy enough does not even begin the work in that time.
    const failure = expect.stringMatching(/^(?:unanswered|ENVELOPE_EXPIRED)$/) as unknown;
    await expect.poll(resultOf).toEqual([failure]);
    gate.resolve();
    expect(await system.until(runId)).toMatchObject({ status: "completed", result: [failure] });
  });

  it.each([
    {
      what: "is never content",
      decide: (() => ({ delegate: [{ worker: "web", payload: { topic: "x" } }] })) as Decide,
      code: "SUPERVISION_ROUNDS_SPENT",
    },
    {
      what: "asks a stranger",
      decide: (() => ({ delegate: [{ worker: "nobody", payload: {} }] })) as Decide,
      code: "SUPERVISION_INVALID",
    },
    { what: "delegates nothing", decide: (() => ({ delegate: [] })) as Decide, code: "SUPERVISION_INVALID" },
  ])("that $what is stopped, and says why", async ({ decide, code }) => {
    const { system, asked } = openSupervised(decide, { roundsMax: 2 });
    await system.start();
    const { runId } = await system.submit({ topic: "x" });
    await system.until(runId, ["in_ward", "quarantined"]);
    const events = await system.store.runs.events(runId, { from: 0, limit: 100 });
    expect(events.findLast(({ detail }) => "code" in detail)?.detail["code"]).toBe(code);
    expect(asked.length).toBeLessThanOrEqual(2);
  });
});
