import { expect, it } from "vitest";
import { whatMoves } from "./snapshot.ts";
import type { Snapshot } from "./snapshot.ts";

function snapshotOf({
  running = 0,
  queue = 0,
  quarantine = 0,
}: {
  running?: number;
  queue?: number;
  quarantine?: number;
}): Snapshot {
  const equation = {
    submitted: 3,
    completed: 2,
    failed: 0,
    cancelled: 0,
    expired: 0,
    waiting: 1,
    lost: 0,
    balanced: true,
  };
  const waiting = { queue, retry: 0, ward: 0, quarantine };
  const cases = {
    admitted: 0,
    in_surgery: 0,
    discharged: 0,
    quarantined: quarantine,
    released: 0,
    discarded: 0,
  };
  return { stats: { equation, waiting, runs: { running }, outbox: {} }, cases };
}

it("finds nothing moving when a run waits for one of its branches, which waits for a person", () => {
  expect(whatMoves(snapshotOf({ running: 1, quarantine: 1 }))).toEqual([]);
  expect(whatMoves(snapshotOf({}))).toEqual([]);
});

it("names what is in a queue, and a run that runs while nobody is waited for", () => {
  expect(whatMoves(snapshotOf({ running: 1, quarantine: 1, queue: 1 }))).toEqual(["1 messages in queues"]);
  expect(whatMoves(snapshotOf({ running: 2 }))).toEqual(["2 runs running"]);
});
