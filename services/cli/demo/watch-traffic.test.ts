import { expect, it } from "vitest";
import { openTestStore, serveHttp } from "#shared/testing";
import { DemoFailedError } from "../errors.ts";
import { watchUntilStill, whatMoves } from "./watch-traffic.ts";
import type { Snapshot, Stats, Watch } from "./watch-traffic.ts";

const STATS: Stats = {
  equation: {
    submitted: 3,
    completed: 2,
    failed: 0,
    cancelled: 0,
    expired: 0,
    waiting: 1,
    lost: 0,
    balanced: true,
    shards_away: 0,
  },
  waiting: { queue: 0, retry: 0, ward: 0, quarantine: 1 },
  runs: {},
  inbox: 0,
};

/** A watch over a gateway that always answers with these counts. */
async function watchOver(stats: Stats, withinMs: number): Promise<Watch> {
  const url = await serveHttp((_, response) => {
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(stats));
  });
  return {
    gateway: { service: "gateway", url, key: "sk-any" },
    store: openTestStore(),
    progress: { show: () => undefined },
    total: () => 4,
    isSent: () => true,
    signal: new AbortController().signal,
    withinMs,
  };
}

it("ends where a task that was accepted is counted nowhere: the summary has to say that it is lost", async () => {
  await expect(watchUntilStill(await watchOver(STATS, 100_000))).resolves.toBeUndefined();
});

it("names what still moves when its time is over", async () => {
  const stats = { ...STATS, runs: { queued: 2 }, waiting: { ...STATS.waiting, retry: 1 } };
  const failed = watchUntilStill(await watchOver(stats, 500));
  await expect(failed).rejects.toThrow(DemoFailedError);
  await expect(failed).rejects.toThrow("2 runs queued, 1 messages in retry");
});

function snapshotOf({
  running = 0,
  queue = 0,
  quarantine = 0,
}: {
  running?: number;
  queue?: number;
  quarantine?: number;
}): Snapshot {
  const waiting = { queue, retry: 0, ward: 0, quarantine };
  const cases = {
    admitted: 0,
    in_surgery: 0,
    discharged: 0,
    quarantined: quarantine,
    released: 0,
    discarded: 0,
  };
  return { stats: { ...STATS, waiting, runs: { running } }, cases };
}

it("finds nothing moving when a run waits for one of its branches, which waits for a person", () => {
  expect(whatMoves(snapshotOf({ running: 1, quarantine: 1 }))).toEqual([]);
  expect(whatMoves(snapshotOf({}))).toEqual([]);
});

it("names what is in a queue, and a run that runs while nobody is waited for", () => {
  expect(whatMoves(snapshotOf({ running: 1, quarantine: 1, queue: 1 }))).toEqual(["1 messages in queues"]);
  expect(whatMoves(snapshotOf({ running: 2 }))).toEqual(["2 runs running"]);
});
