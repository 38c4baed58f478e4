import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { fanOut, join } from "#shared/patterns";
import { agent, team } from "#shared/runtime";
import type { Context, HandlerOutcome } from "#shared/runtime";
import { createTestSystem, HOSTILE_VALUES } from "#shared/testing";
import { findUnwritable } from "./json-result.ts";
import type { FailedWork } from "./delivery.ts";

const cycle: Record<string, unknown> = { list: [] };
cycle["list"] = [1, cycle];
const deep = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));

class Money {
  readonly cents = 7;
}
class Hidden {
  readonly #cents = 7;
  read(): number {
    return this.#cents;
  }
}

describe("findUnwritable", () => {
  it.each<[string, unknown, string]>([
    ["NaN", Number.NaN, "NaN"],
    ["an infinity", -Infinity, "-Infinity"],
    ["a BigInt", 7n, "BigInt"],
    ["a Date", new Date(0), "Date"],
    ["a Map", new Map([["a", 1]]), "Map"],
    ["a Set", new Set([1]), "Set"],
    ["a promise that was not awaited", Promise.resolve(1), "Promise"],
    ["an error", new Error("x"), "Error"],
    ["bytes", Buffer.from("x"), "Uint8Array"],
    ["a pattern", /x/, "RegExp"],
    ["a function", () => 1, "function"],
    ["a symbol", Symbol("s"), "symbol"],
    ["a class whose content is private", new Hidden(), "Hidden without fields"],
    ["an object that writes itself as something else", { toJSON: () => Number.NaN }, "NaN"],
  ])("names the place and kind of %s, in objects and lists", (_, value, kind) => {
    expect(findUnwritable(value)).toEqual({ path: "", kind });
    expect(findUnwritable({ ok: "a", "a/b": [1, { at: value }] })).toEqual({ path: "/a~1b/1/at", kind });
  });

  it("finds cycles, and what is too deep for a stack", () => {
    expect(findUnwritable(cycle)).toEqual({ path: "/list/1", kind: "cycle" });
    expect(findUnwritable(deep(100))).toBeNull();
    expect(findUnwritable(deep(5000))?.kind).toBe("value that is nested too deeply");
    const both = { n: 1 };
    expect(findUnwritable([both, both])).toBeNull();
  });

  it("leaves alone what JSON keeps, fields of a class and undefined members included", () => {
    expect(findUnwritable({ money: new Money(), gone: undefined, list: [undefined], none: null })).toBeNull();
    expect(findUnwritable(Object.create(null))).toBeNull();
    fc.assert(
      fc.property(fc.jsonValue(), (value) => findUnwritable(value) === null),
      { numRuns: 300 },
    );
  });

  it("finds whatever JSON would not give back, wherever it is", () => {
    const exotic = { withBigInt: true, withDate: true, withMap: true, withSet: true, withTypedArray: true };
    fc.assert(
      fc.property(fc.anything(exotic), (value) => (findUnwritable(value) === null) === isPlain(value)),
      { numRuns: 1000 },
    );
  });
});

/** The rule once more, without places. */
function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object" || value === null) return typeof value !== "bigint";
  const prototype: unknown = Object.getPrototypeOf(value);
  const isContainer = Array.isArray(value) || prototype === Object.prototype || prototype === null;
  return isContainer && Object.values(value).every(isPlain);
}

describe("values that JSON cannot hold", () => {
  /** Values that JSON cannot hold, on every way out of a handler. */

  const Task = contract("task@1", z.object({ how: z.string(), what: z.string() }));
  const Loose = contract("loose@1", z.object({ at: z.unknown() }));
  const Brief = contract("brief@1", z.object({ at: z.unknown() }));
  const loop: Record<string, unknown> = {};
  loop["again"] = loop;

  const VALUES: Readonly<Record<string, unknown>> = {
    Date: new Date(0),
    NaN: Number.NaN,
    Map: new Map([[1, 2]]),
    BigInt: 7n,
    cycle: loop,
  };

  type Ctx = Context<{ next: typeof Loose; merge: typeof Brief }>;
  let effects = 0;
  const WAYS: Readonly<
    Record<string, (value: unknown, ctx: Ctx) => HandlerOutcome | Promise<HandlerOutcome>>
  > = {
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
          expect(failures[0]?.stack?.join(), JSON.stringify(task)).toContain("unwritable.test.ts");
      }),
    );
    expect(effects).toBe(Object.keys(VALUES).length);
  });
});

describe("values that cannot be read", () => {
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
  });
});
