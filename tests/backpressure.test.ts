import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import { pino } from "pino";
import { loadConfig } from "#shared/config";
import { contract } from "#shared/contract";
import { issueKeyring } from "#shared/envelope/keys";
import { agent, edgesOf, team } from "#shared/runtime";
import { Store } from "#shared/store";
import { RunWatcher } from "#shared/store/runs";
import { Metrics } from "#shared/telemetry";
import { createTestSystem } from "#shared/testing";
import { z } from "zod";
import { GATEWAY_BOUNDS_DEFAULT } from "../services/gateway/bounds.ts";
import { LocalBlobs } from "#shared/blobs";
import { startGateway } from "../services/gateway/server.ts";

const Task = contract("flood.task@1", z.object({ n: z.int(), text: z.string() }));
const KEY = "flood-secret-0123456789";
/** What a refused flood may leave behind: buffers of the connections, and nothing of the requests. */
const BYTES_MAX = 16 * 1024 * 1024;

/** A gateway with small bounds before agents that may be stopped. */
async function openDam(options: { queueLimit: number; storeIsFull?: () => Promise<boolean> }) {
  const solo = agent("flooded@1", { accepts: Task, handle: ({ n }, ctx) => ctx.complete({ n }) });
  const flooded = team("flooded", [solo]);
  const system = createTestSystem(flooded);
  const store = new Store({ ...system.store.options, role: "producer" });
  const subscriber = store.connectAnother("worker");
  await expect.poll(() => store.redis.status, { timeout: 60_000 }).toBe("ready");
  const running = await startGateway(
    {
      store,
      watcher: new RunWatcher([subscriber], store.keys),
      teams: [flooded],
      keyring: issueKeyring({ master: system.master, agent: "gateway", edges: edgesOf([flooded]) }),
      apiKeys: loadConfig({ SUTURE_API_KEYS: `flood:submit:${KEY}` }).apiKeys ?? [],
      blobs: new LocalBlobs("unused", { bytesMax: 1, ageMsMax: 1 }),
      logger: pino({ level: "silent" }),
      metrics: new Metrics(),
      tenantShare: 0.5,
      wardIsFull: async () => false,
      storeIsFull: async () => false,
      isReadyWithoutAgents: true,
      agentProtocolTeam: "flooded",
      publicUrl: null,
      grpcPort: null,
      a2aKeys: null,
      userModels: [],
      pushHosts: new Set(),
      ...options,
      bounds: { ...GATEWAY_BOUNDS_DEFAULT, rateBurst: 1_000_000, ratePerSecond: 1_000_000 },
    },
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(async () => {
    await running.stop(500);
    subscriber.disconnect();
    await store.close();
  });
  const post = (n: number): Promise<Response> =>
    fetch(`${running.url}/v1/tasks`, {
      method: "POST",
      headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
      body: JSON.stringify({ team: "flooded", input: { n, text: "x".repeat(500) } }),
    });
  return { system, post };
}

/** Bytes that are still held after a collection of garbage. */
function heldBytes(): number {
  setFlagsFromString("--expose-gc");
  // The flag puts a function of this name into every context that is made from now on.
  const collect = runInNewContext("gc") as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}

it("takes a flood up to its limit while agents are stopped, refuses the rest with a time, and loses nothing", async () => {
  const queueLimit = 50;
  const { system, post } = await openDam({ queueLimit });
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
    .poll(() => system.store.runs.counts(), { timeout: 60_000 })
    .toMatchObject({ submitted: queueLimit, completed: queueLimit });
  expect((await post(1)).status).toBe(202);
}, 120_000);
