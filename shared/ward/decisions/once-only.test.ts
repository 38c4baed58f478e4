import { expect, test } from "vitest";
import { openTestStore } from "#shared/testing";
import { findBatchStale, findStale, markCarriedOut, markBatchEnded } from "./once-only.ts";

const DAY_MS = 86_400_000;

const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

const decided = (version: number, at = daysAgo(0)) =>
  ({ kind: "release", by: "ada", why: "so", at, case_id: "c", version, message_id: "m" }) as const;

test("obeys a decision once, none from before it, and none that is a month old", async () => {
  const store = openTestStore();
  expect(await findStale(store, decided(5))).toBeNull();
  await markCarriedOut(store, decided(5));
  for (const version of [4, 5])
    expect(await findStale(store, decided(version))).toMatch(/carried out before/);
  expect(await findStale(store, decided(7))).toBeNull();
  expect(await findStale(store, { ...decided(1), case_id: "other" })).toBeNull();
  for (const at of [daysAgo(31), "no time"])
    expect(await findStale(store, decided(9, at))).toMatch(/more than 30 days ago/);
});

test("remembers for longer than a signature is obeyed", async () => {
  const store = openTestStore();
  await markCarriedOut(store, decided(5));
  await markBatchEnded(store, "b");
  for (const subject of ["case:c", "batch:b"])
    expect(await store.redis.pttl(store.keys.mostRecent(subject))).toBeGreaterThan(30 * DAY_MS);
});

test("works on a plan until it ended, and on none that is a month old", async () => {
  const store = openTestStore();
  expect(await findBatchStale(store, { batch_id: "b", at: daysAgo(29) })).toBeNull();
  expect(await findBatchStale(store, { batch_id: "b", at: daysAgo(31) })).toMatch(/more than 30 days ago/);
  await markBatchEnded(store, "b");
  expect(await findBatchStale(store, { batch_id: "b", at: daysAgo(0) })).toMatch(/ended before/);
});
