import { describe, expect, it, onTestFinished } from "vitest";
import { testPrefix, testRedisUrl } from "#shared/testing";
import { drive } from "./drive.ts";
import { PAYLOAD_BYTES, createPayload, payloadSchema } from "./payload.ts";
import { Ends } from "./peer.ts";
import type { ChainPeer } from "./peer.ts";
import { openRawBullmq } from "./raw-bullmq.ts";
import { openSuture } from "./suture.ts";

/** Far beyond what any of these takes on a busy machine. */
const TIMEOUT_MS = 60_000;

const never = (): AbortSignal => AbortSignal.timeout(TIMEOUT_MS);

/** Ends a run a turn of the loop after it was submitted, and tells it `tellings` times. */
function instantPeer(tellings = 1): ChainPeer & { underWayMax: () => number; submitted: () => number } {
  const ends = new Ends();
  let submitted = 0;
  let underWay = 0;
  let max = 0;
  return {
    ends,
    async submit({ onEnd }) {
      const runId = `run-${(submitted += 1)}`;
      underWay += 1;
      max = Math.max(max, underWay);
      ends.expect(runId, onEnd);
      setImmediate(() => {
        underWay -= 1;
        for (let telling = 0; telling < tellings; telling += 1) ends.end(runId);
      });
    },
    work: async () => undefined,
    close: async () => undefined,
    underWayMax: () => max,
    submitted: () => submitted,
  };
}

describe("the closed loop", () => {
  it("keeps as many runs under way as asked for, and measures each", async () => {
    const peer = instantPeer();
    const driven = await drive(peer, { runs: 40, outstanding: 8, signal: never() });
    expect(peer.underWayMax()).toBe(8);
    expect(driven.latencies).toHaveLength(40);
  });

  it("fails rather than wait for ever for a run that is lost", async () => {
    const peer: ChainPeer = { ...instantPeer(), submit: async () => undefined };
    const signal = AbortSignal.timeout(20);
    await expect(drive(peer, { runs: 1, outstanding: 1, signal })).rejects.toThrow(/timeout/);
  });
});

describe.each([
  ["raw BullMQ", openRawBullmq],
  ["Suture", openSuture],
])("the peer %s", (_, open) => {
  it(
    "works off what waited and what comes",
    async () => {
      const peer = open({ url: testRedisUrl(), prefix: testPrefix(), concurrency: 5 });
      onTestFinished(() => peer.close());
      let ended = 0;
      for (let run = 0; run < 4; run += 1) await peer.submit({ onEnd: () => (ended += 1) });
      expect(ended).toBe(0);
      await peer.work();
      await drive(peer, { runs: 4, outstanding: 2, signal: never() });
      await expect.poll(() => ended, { timeout: TIMEOUT_MS / 2 }).toBe(4);
    },
    TIMEOUT_MS,
  );
});

describe("the payload", () => {
  it("has the size that the report tells, and keeps its contract", () => {
    expect(Buffer.byteLength(JSON.stringify(createPayload()))).toBe(PAYLOAD_BYTES);
    expect(payloadSchema.safeParse(createPayload()).success).toBe(true);
  });
});
