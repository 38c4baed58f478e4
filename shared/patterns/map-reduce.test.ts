import { describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { findCases } from "#shared/ward";
import { discardCase } from "#shared/ward/moves";
import { mapReduce } from "./map-reduce.ts";

const Docs = contract("docs@1", z.object({ count: z.int(), bad: z.array(z.int()).default([]) }));
const Doc = contract("doc@1", z.object({ n: z.int(), text: z.string() }));
const Summary = contract("summary@1", z.object({ of: z.array(z.int()), depth: z.int() }));

function openDigest(options: { fanIn?: number; policy?: "all" | "collect" } = {}) {
  const reduced: number[] = [];
  const digest = mapReduce("digest", {
    accepts: Docs,
    item: Doc,
    part: Summary,
    ...options,
    split: ({ count, bad }) =>
      Array.from({ length: count }, (_, n) => ({ n, text: bad.includes(n) ? "" : "x".repeat(2000) })),
    map: ({ n, text }) => {
      if (text === "") throw new Error("an empty document");
      return { of: [n], depth: 0 };
    },
    reduce: (parts) => {
      reduced.push(parts.length);
      return { of: parts.flatMap(({ of }) => of), depth: 1 + Math.max(...parts.map(({ depth }) => depth)) };
    },
    finish: (part, { missing }) => ({ of: part?.of ?? [], depth: part?.depth ?? 0, missing }),
  });
  const system = createTestSystem(team("digests", digest.agents, { loops: digest.loops }), {
    retry: { deliveriesMax: 1 },
  });
  return { system, reduced };
}

describe("map and reduce", () => {
  it.each([
    { count: 0, depth: 0 },
    { count: 1, depth: 0 },
    { count: 8, depth: 1 },
    { count: 9, depth: 2 },
    { count: 50, depth: 2 },
  ])("makes one part of $count documents, in their order, $depth levels deep", async ({ count, depth }) => {
    const { system, reduced } = openDigest();
    await system.start();
    expect(await system.run({ count, bad: [] })).toMatchObject({
      status: "completed",
      result: { of: Array.from({ length: count }, (_, n) => n), depth, missing: [] },
    });
    expect(Math.max(0, ...reduced)).toBeLessThanOrEqual(8);
  });

  it("says which documents are missing where it may go on without them", async () => {
    const { system } = openDigest({ policy: "collect" });
    await system.start();
    const { runId } = await system.submit({ count: 12, bad: [3, 7] });
    const { store } = system;
    const find = async () => (await findCases(store, { filter: {}, limit: 10 })).cases;
    await expect.poll(async () => (await find()).length).toBe(2);
    for (const { case_id } of await find()) {
      const from = await store.cases.get(case_id);
      await discardCase(store, { from, by: "ada", why: "empty", end: "failed" });
    }
    const { result } = await system.until(runId);
    expect(result).toMatchObject({ missing: [3, 7], of: [0, 1, 2, 4, 5, 6, 8, 9, 10, 11] });
  });

  it("is as deep as a narrow fan-in makes it, within the hops of a run", async () => {
    const { system, reduced } = openDigest({ fanIn: 3 });
    await system.start();
    const { runId } = await system.submit({ count: 50, bad: [] });
    expect(await system.until(runId)).toMatchObject({ status: "completed", result: { depth: 4 } });
    expect(Math.max(...reduced)).toBe(3);
    expect(reduced.reduce((sum, parts) => sum + parts - 1, 0)).toBe(49);
  });
});
