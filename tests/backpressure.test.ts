import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";

const Task = contract("flood.task@1", z.object({ n: z.int(), text: z.string() }));
/** Memory that a refused flood may leave behind: buffers of the connections, and nothing of the requests. */
const BYTES_MAX = 16 * 1024 * 1024;

/** A gateway with small bounds before agents that are not at work yet. */
async function openDam(queueLimit: number) {
  const solo = agent("flooded@1", { accepts: Task, handle: ({ n }, ctx) => ctx.complete({ n }) });
  const gateway = await startTestGateway({
    team: team("flooded", [solo]),
    parts: { queueLimit, tenantShare: 1 },
    bounds: { rateBurst: 1_000_000, ratePerSecond: 1_000_000 },
  });
  const post = (n: number): Promise<Response> =>
    gateway.post("/v1/tasks", { team: "flooded", input: { n, text: "x".repeat(500) } });
  return { system: gateway.system, post };
}

function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  // The flag puts a function of this name into every context that is made from now on.
  const collect = runInNewContext("gc") as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

it("takes a flood up to its limit while agents are stopped, refuses the rest with a time, and loses nothing", async () => {
  const queueLimit = 50;
  const { system, post } = await openDam(queueLimit);
  const flood = async (count: number): Promise<Map<number, number>> => {
    const statuses = new Map<number, number>();
    let sent = 0;
    const client = async (): Promise<void> => {
      while (sent < count) {
        sent += 1;
        const reply = await post(sent);
        await reply.arrayBuffer();
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        if (reply.status !== 202) expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
      }
    };
    await Promise.all(Array.from({ length: 20 }, client));
    return statuses;
  };
  expect(Object.fromEntries(await flood(150))).toEqual({ 202: queueLimit, 429: 100 });
  const before = heldBytes();
  expect(Object.fromEntries(await flood(300))).toEqual({ 429: 300 });
  expect(heldBytes() - before).toBeLessThan(BYTES_MAX);
  expect(await system.store.runs.counts()).toMatchObject({ submitted: queueLimit, queued: queueLimit });
  await system.start();
  await expect
    .poll(() => system.store.runs.counts())
    .toMatchObject({ submitted: queueLimit, completed: queueLimit });
  expect((await post(1)).status).toBe(202);
});
