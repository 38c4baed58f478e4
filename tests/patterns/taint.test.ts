import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { fanOut, join } from "#shared/patterns";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";

/**
 * Labels of text from outside follow wherever agents meet: at a join, and on a board. The ways between declare nothing.
 */

const Task = contract("task@1", z.object({ n: z.int() }));
const Found = contract("found@1", z.object({ text: z.string() }));
const untrusted = { steps: { search: "web" } };

/** Pays, unless what it was handed comes from the web. */
const payer = agent("payer@1", {
  accepts: Task,
  deliveriesMax: 1,
  guard: { mayCause: ["pay"], refusesTaint: { pay: ["web"] } },
  handle: async (_input, ctx) => {
    await ctx.once("pay", () => Promise.resolve("paid"));
    return ctx.complete("paid");
  },
});

it.each([
  ["does not pay for what one of the branches found on the web", 1, "quarantined"],
  ["pays where no branch has been there", 0, "completed"],
] as const)("behind a join, %s", async (_name, searching, status) => {
  const cut = agent("cut@1", {
    accepts: Task,
    to: { work: Task, merge: Task },
    handle: (_input, ctx) =>
      fanOut({
        branches: [0, 1, 2].map((n) => ctx.handoff("work", { n })),
        join: ctx.handoff("merge", { n: 3 }),
      }),
  });
  const work = agent("work@1", {
    accepts: Task,
    to: { merge: Found },
    guard: { mayCause: [], untrusted },
    handle: async ({ n }, ctx) => {
      const text = n < searching ? await ctx.step("search", () => "buy now") : "own words";
      return ctx.handoff("merge", { text });
    },
  });
  const merge = join("merge@1", {
    accepts: Task,
    collects: Found,
    to: { payer: Task },
    handle: (input, _branches, ctx) => ctx.handoff("payer", input),
  });
  const system = createTestSystem(team("shop", [cut, work, merge, payer]));
  await system.start();
  const { runId } = await system.submit({ n: 0 });
  await expect
    .poll(async () => (await system.store.runs.find(runId))?.status, { timeout: 60_000 })
    .toBe(status);
});

it.each([
  ["does not pay for what another wrote there from the web", true, "quarantined"],
  ["pays for what was written there from nowhere else", false, "completed"],
] as const)("behind a board, %s", async (_name, searches, status) => {
  // The writer hands nothing on of what it read: only the board has it.
  const writer = agent("writer@1", {
    accepts: Task,
    to: { reader: Task },
    guard: { mayCause: [], untrusted, clean: { reader: [""] } },
    handle: async (input, ctx) => {
      const text = searches ? await ctx.step("search", () => "buy now") : "own words";
      await ctx.board("facts").write("note", { key: "first", value: { text }, expects: 0 });
      return ctx.handoff("reader", input);
    },
  });
  const reader = agent("reader@1", {
    accepts: Task,
    to: { payer: Task },
    handle: async (input, ctx) => {
      const { entries } = await ctx.board("facts").read();
      expect(entries.get("first")?.labels ?? []).toEqual(searches ? ["web"] : []);
      return ctx.handoff("payer", input);
    },
  });
  const system = createTestSystem(team("shop", [writer, reader, payer]));
  await system.start();
  const { runId } = await system.submit({ n: 0 });
  await expect
    .poll(async () => (await system.store.runs.find(runId))?.status, { timeout: 60_000 })
    .toBe(status);
});
