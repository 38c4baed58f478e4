import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { fanOut, join } from "#shared/patterns";
import { agent, team } from "#shared/runtime";
import type { FailedWork } from "../deliver/delivery.ts";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";

/** Values that JSON cannot hold, on every way out of a handler. */

const Task = contract("task@1", z.object({ how: z.string(), what: z.string() }));
const Loose = contract("loose@1", z.object({ at: z.unknown() }));
const Brief = contract("brief@1", z.object({ at: z.unknown() }));
const cycle: Record<string, unknown> = {};
cycle["again"] = cycle;

const VALUES: Readonly<Record<string, unknown>> = {
  Date: new Date(0),
  NaN: Number.NaN,
  Map: new Map([[1, 2]]),
  BigInt: 7n,
  cycle,
};

type Ctx = Context<{ next: typeof Loose; merge: typeof Brief }>;
let effects = 0;
const WAYS: Readonly<Record<string, (value: unknown, ctx: Ctx) => HandlerOutcome | Promise<HandlerOutcome>>> =
  {
    handoff: (at, ctx) => ctx.handoff("next", { at }),
    complete: (at, ctx) => ctx.complete({ at }),
    "outcome made by hand": (at) => ({ kind: "completed", result: { at } }),
    "draft made by hand": (at) => ({
      kind: "handed_off",
      handoffs: [{ to: "next", contract: Loose, payload: { at }, options: {} }],
    }),
    step: (at, ctx) => ctx.step("s", () => ({ at })).then(() => ctx.complete({})),
    once: (at, ctx) =>
      ctx
        .once("k", async () => {
          effects += 1;
          return { at };
        })
        .then(() => ctx.complete({})),
    metadata: (at, ctx) => ctx.handoff("next", { at: 1 }, { conversation: { metadata: { at } } }),
    branch: (at, ctx) =>
      fanOut({ branches: [ctx.handoff("next", { at })], join: ctx.handoff("merge", { at: 1 }) }),
    join: (at, ctx) =>
      fanOut({ branches: [ctx.handoff("next", { at: 1 })], join: ctx.handoff("merge", { at }) }),
  };

it("are one fault of the agent's code each, with place and kind, and the effect happens once", async () => {
  effects = 0;
  const maker = agent("maker@1", {
    accepts: Task,
    to: { next: Loose, merge: Brief },
    handle: ({ how, what }, ctx) => WAYS[how]?.(VALUES[what], ctx) ?? ctx.complete({}),
  });
  const next = agent("next@1", {
    accepts: Loose,
    to: { merge: Loose },
    handle: (_, ctx) => ctx.handoff("merge", { at: 1 }),
  });
  const merge = join("merge@1", {
    accepts: Brief,
    collects: Loose,
    handle: (_input, _branches, ctx) => ctx.complete({}),
  });
  const system = createTestSystem(team("makers", [maker, next, merge]), { retry: { deliveriesMax: 2 } });
  const failed: FailedWork[] = [];
  await system.start({ onFailure: (one) => failed.push(one), concurrency: 20 });
  const tasks = Object.keys(WAYS).flatMap((how) => Object.keys(VALUES).map((what) => ({ how, what })));
  await Promise.all(
    tasks.map(async (task) => {
      const { runId } = await system.submit(task);
      const { status } = await system.until(runId, ["completed", "failed", "in_ward", "quarantined"]);
      const failures = failed.filter((one) => one.runId === runId).map(({ failure }) => failure);
      expect({ ...task, status, codes: failures.map(({ code }) => code) }).toEqual({
        ...task,
        status: "in_ward",
        codes: ["RESULT_NOT_JSON", "RESULT_NOT_JSON"],
      });
      const path = { metadata: "/conversation/metadata/at" }[task.how] ?? "/at";
      for (const failure of failures)
        expect({ ...task, ...failure }).toMatchObject({
          failure_class: "handler_error",
          message: expect.stringContaining(task.what),
          issues: [{ path: task.what === "cycle" ? `${path}/again` : path, code: "not_json" }],
        });
      if (["handoff", "complete", "metadata", "branch", "join"].includes(task.how))
        expect(failures[0]?.stack?.join(), JSON.stringify(task)).toContain("not-json.test.ts");
    }),
  );
  expect(effects).toBe(Object.keys(VALUES).length);
}, 120_000);
