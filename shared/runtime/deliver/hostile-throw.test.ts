import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { createTestSystem, HOSTILE_VALUES } from "#shared/testing";

const Task = contract("task@1", z.object({ kind: z.string(), how: z.string() }));
const Loose = contract("loose@1", z.object({ value: z.unknown() }));

const DELIVERIES_MAX = 3;

/** Every way in which a value of a handler reaches the runtime. */
const WAYS: Readonly<
  Record<string, (value: unknown, ctx: Context) => HandlerOutcome | Promise<HandlerOutcome>>
> = {
  thrown: (value) => {
    throw value;
  },
  rejected: (value) => Promise.reject(value),
  returned: (value) => value as HandlerOutcome,
  "the result": (result) => ({ kind: "completed", result }),
  "the reason": (reason) => ({ kind: "rejected", reason: reason as string }),
  "handed on": (value, ctx) => ctx.handoff("next", { value }),
  "the draft": (value) => ({ kind: "handed_off", handoffs: value as never }),
  "in a step": (value, ctx) => ctx.step("s", () => value).then(() => ctx.complete({})),
  "out of an effect": (value, ctx) => ctx.once("k", () => Promise.reject(value)),
};

it("ends every run whose handler throws or returns what cannot be read, after a bounded number of deliveries", async () => {
  const deliveries = new Map<string, number>();
  const hostile = agent("hostile@1", {
    accepts: Task,
    to: { next: Loose },
    handle: ({ kind, how }, ctx) => {
      const key = `${how} ${kind}`;
      deliveries.set(key, (deliveries.get(key) ?? 0) + 1);
      return WAYS[how]?.(HOSTILE_VALUES[kind]?.(), ctx) ?? ctx.complete({});
    },
  });
  const next = agent("next@1", { accepts: Loose, handle: (_, ctx) => ctx.complete({}) });
  const system = createTestSystem(team("hostiles", [hostile, next]), {
    retry: { deliveriesMax: DELIVERIES_MAX },
  });
  await system.start({ concurrency: 50 });
  const tasks = Object.keys(WAYS).flatMap((how) =>
    Object.keys(HOSTILE_VALUES).map((kind) => ({ kind, how })),
  );
  const runs = await Promise.all(tasks.map((task) => system.submit(task)));
  const ends = ["completed", "failed", "in_ward", "quarantined"] as const;
  const stuck = await Promise.all(
    runs.map(({ runId }, index) =>
      system.until(runId, ends).then(
        () => null,
        () => tasks[index],
      ),
    ),
  );
  expect(stuck.filter((task) => task !== null)).toEqual([]);
  const often = [...deliveries].filter(([, count]) => count > DELIVERIES_MAX);
  expect(often).toEqual([]);
}, 120_000);
