import { describe, expect, it, onTestFinished } from "vitest";
import { testPrefix, testRedisUrl } from "#shared/testing";
import { drive, fill } from "./drive.ts";
import { PAYLOAD_BYTES, createPayload, payloadSchema } from "./payload.ts";
import type { ChainPeer } from "./peer.ts";
import { openRawBullmq } from "./raw-bullmq.ts";
import { openSuture } from "./suture.ts";

/** Far beyond what any of these takes on a busy machine. */
const TIMEOUT_MS = 60_000;

const never = (): AbortSignal => AbortSignal.timeout(TIMEOUT_MS);

/** Ends a run a turn of the loop after it was submitted. */
function instantPeer(): ChainPeer & { underWayMax: () => number } {
  let underWay = 0;
  let max = 0;
  return {
    async submit() {
      underWay += 1;
      max = Math.max(max, underWay);
      const ended = new Promise<void>((resolve) => setImmediate(resolve)).then(() => void (underWay -= 1));
      return { ended };
    },
    work: async () => undefined,
    close: async () => undefined,
    underWayMax: () => max,
  };
}

describe("the closed loop", () => {
  it("keeps as many runs under way as asked for, and measures each", async () => {
    const peer = instantPeer();
    const driven = await drive(peer, { runs: 40, outstanding: 8, priority: "normal", signal: never() });
    expect(peer.underWayMax()).toBe(8);
    expect(driven.latencies).toHaveLength(40);
    expect(driven.submits).toHaveLength(40);
  });

  it("stops early once it is told to", async () => {
    let asked = 0;
    const isOver = (): boolean => (asked += 1) > 5;
    const peer = instantPeer();
    const driven = await drive(peer, { runs: 40, outstanding: 1, priority: "high", signal: never(), isOver });
    expect(driven.latencies).toHaveLength(5);
  });

  it("fails rather than wait for ever for a run that is lost", async () => {
    const peer: ChainPeer = {
      ...instantPeer(),
      submit: async () => ({ ended: new Promise(() => undefined) }),
    };
    const signal = AbortSignal.timeout(20);
    await expect(drive(peer, { runs: 1, outstanding: 1, priority: "normal", signal })).rejects.toThrow(
      /timeout/,
    );
  });
});

describe.each([
  ["raw BullMQ", openRawBullmq],
  ["Suture", openSuture],
])("the peer %s", (_, open) => {
  it(
    "works off what waited and what comes, urgent or not",
    async () => {
      const peer = open({ url: testRedisUrl(), prefix: testPrefix(), concurrency: 5 });
      onTestFinished(() => peer.close());
      const remaining = await fill(peer, 4);
      expect(remaining()).toBe(4);
      await peer.work();
      await drive(peer, { runs: 2, outstanding: 1, priority: "high", signal: never() });
      await drive(peer, { runs: 4, outstanding: 2, priority: "normal", signal: never() });
      await expect.poll(remaining, { timeout: TIMEOUT_MS / 2 }).toBe(0);
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
