import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { testRedis } from "#shared/testing";
import { runLua } from "./testing/run-lua.ts";
import { ENDED_STATUSES, RUN_STATUSES } from "./runs/run-record.ts";
import { groupVersion } from "./cases/group-record.ts";

const redis = testRedis();
afterAll(() => redis.disconnect());

const parts = ["run-status.lua"];

it("decides a run's status by its messages, then by the ends that were told", async () => {
  const messages = fc.nat(2);
  // A failure that was taken back before it was told leaves less than none.
  const told = fc.integer({ min: -1, max: 2 });
  const ofEach = { cancelled: told, failed: told, expired: told };
  const counts = fc.record({ open: messages, inWard: messages, quarantined: messages, ...ofEach });
  const lua = {
    parts,
    args: {
      before: "text",
      open: "number",
      inWard: "number",
      quarantined: "number",
      // As Redis keeps them.
      cancelled: "text?",
      failed: "text?",
      expired: "text?",
      isStarted: "flag",
    },
    body: "return runStatus(before, open, inWard, quarantined, cancelled, failed, expired, isStarted)",
  } as const;
  const stored = (count: number): string | null => (count === 0 ? null : String(count));
  const property = fc.asyncProperty(
    fc.constantFrom(...RUN_STATUSES),
    counts,
    fc.boolean(),
    async (before, now, isStarted) => {
      const { cancelled, failed, expired } = now;
      const ends = { cancelled: stored(cancelled), failed: stored(failed), expired: stored(expired) };
      const answered = await runLua(redis, lua, { ...now, ...ends, before, isStarted });
      const open = isStarted || before !== "queued" ? "running" : "queued";
      // Without messages a run has ended, by the worst reason that was told.
      const [end = "completed"] = (["cancelled", "failed", "expired"] as const).filter((one) => now[one] > 0);
      const held = now.inWard > 0 ? "in_ward" : now.quarantined > 0 ? "quarantined" : end;
      expect(answered).toBe(now.open > 0 ? open : held);
    },
  );
  await fc.assert(property, { numRuns: 500 });
});

it("calls the same statuses ended", async () => {
  const body = "local names = {}\nfor name in pairs(ENDED) do names[#names + 1] = name end\nreturn names";
  const answered = await runLua(redis, { parts, args: {}, body }, {});
  expect(answered).toEqual(expect.arrayContaining([...ENDED_STATUSES]));
  expect(answered).toHaveLength(ENDED_STATUSES.length);
});

it("gives a group the version that its script compares", async () => {
  const ms = fc.option(fc.nat(2_000_000_000_000));
  const lua = {
    parts: ["group-lifecycle.lua"],
    args: { markedMs: "text?", regressedMs: "text?" },
    body: "return groupVersion(markedMs, regressedMs)",
  } as const;
  const property = fc.asyncProperty(ms, ms, async (marked, regressed) => {
    const values = { markedMs: marked?.toString() ?? null, regressedMs: regressed?.toString() ?? null };
    expect(await runLua(redis, lua, values)).toBe(groupVersion(marked ?? 0, regressed ?? 0));
  });
  await fc.assert(property);
});

it("reopens a resolved group unless the message is of a version before the resolution", async () => {
  const party = fc.record({ name: fc.constantFrom("a", "b", "c"), version: fc.nat(4) });
  const lua = {
    parts: ["group-lifecycle.lua"],
    args: { name: "text?", version: "text?", parties: { list: { name: "text", version: "number" } } },
    body: "return isRegression(name, version, parties) and 1 or 0",
  } as const;
  const property = fc.asyncProperty(
    fc.option(party),
    fc.array(party, { maxLength: 4 }),
    async (since, parties) => {
      const values = { name: since?.name ?? null, version: since?.version.toString() ?? null, parties };
      const version = parties.find(({ name }) => name === since?.name)?.version ?? Infinity;
      expect(await runLua(redis, lua, values)).toBe(since === null || version >= since.version ? 1 : 0);
    },
  );
  await fc.assert(property);
});
