import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { testRedis } from "#shared/testing";
import { runLua } from "../testing/run-lua.ts";
import { groupVersion, isRegression } from "./group-lifecycle.ts";

const redis = testRedis();
afterAll(() => redis.disconnect());

const parts = ["group-lifecycle.lua"];

it("gives a group the version that its script compares", async () => {
  const ms = fc.option(fc.nat(2_000_000_000_000));
  const lua = {
    parts,
    args: { markedMs: "text?", regressedMs: "text?" },
    body: "return groupVersion(markedMs, regressedMs)",
  } as const;
  const property = fc.asyncProperty(ms, ms, async (marked, regressed) => {
    const values = { markedMs: marked?.toString() ?? null, regressedMs: regressed?.toString() ?? null };
    expect(await runLua(redis, lua, values)).toBe(groupVersion(marked ?? 0, regressed ?? 0));
  });
  await fc.assert(property);
});

it("reopens a resolved group as its script does", async () => {
  const party = fc.record({ name: fc.constantFrom("a", "b", "c"), version: fc.nat(4) });
  const lua = {
    parts,
    args: {
      name: "text?",
      version: "text?",
      parties: { list: { name: "text", version: "number" } },
    },
    body: "return isRegression(name, version, parties) and 1 or 0",
  } as const;
  const property = fc.asyncProperty(
    fc.option(party),
    fc.array(party, { maxLength: 4 }),
    async (since, parties) => {
      const values = { name: since?.name ?? null, version: since?.version.toString() ?? null, parties };
      expect(await runLua(redis, lua, values)).toBe(isRegression(since, parties) ? 1 : 0);
    },
  );
  await fc.assert(property);
});
