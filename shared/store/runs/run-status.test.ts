import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { testRedis } from "#shared/testing";
import { runLua } from "../testing/run-lua.ts";
import { ENDED_STATUSES, RUN_STATUSES } from "./run-record.ts";
import { runStatus } from "./run-status.ts";

const redis = testRedis();
afterAll(() => redis.disconnect());

const parts = ["run-status.lua"];

it("decides a run's status as its script does", async () => {
  const messages = fc.nat(2);
  // A failure that was taken back before it was told leaves less than none.
  const told = fc.integer({ min: -1, max: 2 });
  const counts = fc.record({
    open: messages,
    inWard: messages,
    quarantined: messages,
    cancelled: told,
    failed: told,
    expired: told,
  });
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
      expect(answered).toBe(runStatus(before, now, isStarted));
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
