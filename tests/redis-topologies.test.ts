import { Cluster } from "ioredis";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { BullmqWard } from "#shared/bullmq-ward";
import { ENGINES } from "#shared/bullmq-ward/testing";
import { loadConfig } from "#shared/config";
import { Keys, Store } from "#shared/store";
import { BOARD_BOUNDS_DEFAULT } from "#shared/store/boards";
import type { StoreOptions } from "#shared/store";
import { createTestSystem, startTestSystem } from "#shared/testing";
import { measure as measureForConsole } from "../services/console/live/measure.ts";
import crowd from "./crash-points/pattern-teams/crowd/team.ts";
import officeTeam from "./support/office-team/office/team.ts";
import { openOfficeDeployment } from "./support/office-deployment.ts";
import {
  openCluster,
  SLOTS,
  startOwnRedis,
  startReplica,
  startSentinel,
  untilTrue,
} from "./support/redis-servers.ts";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import { TcpProxy } from "./chaos/tcp-proxy.ts";

it("takes a whole run through three agents, the ward and back on a cluster of two masters", async () => {
  const { low, high, url } = await openCluster();
  const { gateway, system, order, end } = await openOfficeDeployment({ url });
  const runs = await Promise.all([
    ...Array.from({ length: 8 }, (_, i) => order(`sound-${i}`)),
    ...Array.from({ length: 4 }, (_, i) => order(`broken-${i}`, { broken: true })),
  ]);
  for (const runId of runs) await end(runId);
  // A long poll hears of the end over publish-subscribe, whichever node it is announced on.
  const again = await order("polled");
  const polled = await gateway.send(`/v1/runs/${again}?wait=20`);
  expect(await polled.json()).toMatchObject({ status: "completed" });
  const audited = async (): Promise<unknown> => (await gateway.send("/v1/stats")).json();
  await expect.poll(audited).toMatchObject({ audit: { done_at: expect.any(String) } });
  const stats = (await (await gateway.send("/v1/stats")).json()) as { equation: object };
  expect(stats.equation).toMatchObject({ submitted: 13, completed: 13, balanced: true });
  const seen = await measureForConsole({
    store: system.store,
    teams: [officeTeam],
    config: loadConfig({}),
  });
  expect(seen.equation).toMatchObject({ completed: 13, balanced: true });
  expect(seen.ward.discharged).toBe(4);
  expect((await gateway.send("/readyz")).status).toBe(200);
  // Every key lies where its hash tag says, and all that a run touches under one tag.
  const keys = (
    await Promise.all([low, high].map(({ redis }) => redis.keys(`${system.store.keys.prefix}*`)))
  ).flat();
  expect(keys.filter((key) => !/^[^{]+\{(?:s0|people|recent|door|registry)\}/.test(key))).toEqual([]);
});

const FIRST_EVENT = {
  id: "first",
  type: "accepted",
  at: "2026-01-01T00:00:00Z",
  agent: "plan",
  detail: {},
} as const;

type Masters = Pick<Awaited<ReturnType<typeof openCluster>>, "low" | "high">;

/** Begins to move the slot of the only shard to the other master. */
async function beginMove({ low, high }: Masters, keys: Keys) {
  const slot = await low.redis.cluster("KEYSLOT", new Keys(keys.prefix).inbox());
  const [from, to] = slot < SLOTS / 2 ? [low, high] : [high, low];
  const idOf = async ({ redis }: typeof low): Promise<string> => String(await redis.call("CLUSTER", "MYID"));
  const [fromId, toId] = [await idOf(from), await idOf(to)];
  await to.redis.call("CLUSTER", "SETSLOT", slot, "IMPORTING", fromId);
  await from.redis.call("CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
  const end = async (): Promise<void> => {
    for (const one of [to, from]) await one.redis.call("CLUSTER", "SETSLOT", slot, "NODE", toId);
  };
  return { slot, from, to, end };
}

it("lets no script act on the half of a shard that has moved, whichever half that is", async () => {
  const { low, high, url } = await openCluster();
  const system = createTestSystem(crowd, { store: { url } });
  const { store } = system;
  const { runId } = await system.submit({ writers: 1 });
  const { slot, from, to, end } = await beginMove({ low, high }, store.keys);
  const move = (keys: readonly string[]) =>
    from.redis.call("MIGRATE", "127.0.0.1", to.port, "", 0, 5000, "KEYS", ...keys);
  const keys = (await from.redis.call("CLUSTER", "GETKEYSINSLOT", slot, 1000)) as string[];
  const left = store.keys.runs("index:queued");
  await move(keys.filter((key) => key !== left));
  // All that it names is there, and what it would take the run out of is not.
  const told = store.journal.apply([
    {
      event: { ...FIRST_EVENT, run_id: runId, message_id: runId },
      starts: true,
    },
  ]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await to.redis.call("ASKING").then(() => to.redis.hget(store.keys.run(runId), "status"))).toBe(
    "queued",
  );
  await move([left]);
  await end();
  await told;
  expect([await store.runs.idsIn("queued", 10), await store.runs.idsIn("running", 10)]).toEqual([
    [],
    [runId],
  ]);
});

it("goes on when a slot has moved from one master to the other", async () => {
  const { low, high, url } = await openCluster();
  const { system, order, end } = await openOfficeDeployment({ url });
  await end(await order("before"));
  const { slot, from, to, end: settle } = await beginMove({ low, high }, system.store.keys);
  // A shard that is half here and half there refuses every script, until its last key has moved.
  const waiting = ["while-moving-1", "while-moving-2"].map((id) => order(id, { repeats: true }));
  await untilTrue(async () => {
    const keys = (await from.redis.call("CLUSTER", "GETKEYSINSLOT", slot, 1000)) as string[];
    if (keys.length === 0) return true;
    await from.redis.call("MIGRATE", "127.0.0.1", to.port, "", 0, 5000, "KEYS", ...keys);
    return false;
  });
  await settle();
  waiting.push(order("moved"), order("moved-broken", { broken: true }));
  for (const runId of await Promise.all(waiting)) await end(runId);
});

it("brings fan-outs together and keeps boards on a cluster, where each board lies in a slot of its own", async () => {
  const { url } = await openCluster();
  const system = await startTestSystem(crowd, {}, { store: { url } });
  const runs = await Promise.all([1, 20, 50, 50].map((writers) => system.submit({ writers })));
  for (const [index, writers] of [1, 20, 50, 50].entries()) {
    const run = await system.until(runs[index]?.runId ?? "");
    const all = Array.from({ length: writers }, (_, n) => n);
    expect(run).toMatchObject({ status: "completed" });
    expect(new Set((run.result as { written: number[] }).written)).toEqual(new Set(all));
  }
  expect(await system.store.runs.counts()).toMatchObject({ submitted: 4, completed: 4 });
});

const Order = z.strictObject({ order: z.string(), amount: z.int() });

it("reads, repairs, sends back and detaches in a cluster whose prefix has a hash tag", async () => {
  const { low, high } = await openCluster();
  const nodes = [low, high].map(({ port }) => ({ host: "127.0.0.1", port }));
  const redis = new Cluster(nodes);
  const connection = new Cluster(nodes, { redisOptions: { maxRetriesPerRequest: null } });
  onTestFinished(() => [redis, connection].forEach((one) => one.disconnect()));
  for (const [index, [, engine]] of ENGINES.entries()) {
    const shared = { connection, prefix: `{bull-${index}}` };
    const queue = new engine.Queue("orders", shared);
    const ward = new BullmqWard(queue, {
      redis,
      contract: { schema: Order, at: "/payload" },
      mode: "redrive",
      mayRepeatEffects: true,
    });
    await queue.add("order", { payload: { order: "a", amount: "1" } });
    const failing = new engine.Worker("orders", () => Promise.reject(new Error("no")), shared);
    await untilTrue(
      async () => (await queue.getFailedCount()) === 1 && (await queue.getWaitingCount()) === 0,
    );
    await failing.close();
    expect(await ward.sweep()).toMatchObject({ cases: 1, redriven: 1 });
    const done: unknown[] = [];
    const worker = new engine.Worker("orders", (job) => Promise.resolve(done.push(job.data)), shared);
    await untilTrue(async () => (await queue.getCompletedCount()) === 1);
    expect(done).toEqual([{ payload: { order: "a", amount: 1 } }]);
    await ward.detach({ onCase: () => undefined });
    const keys = await Promise.all([low, high].map(({ redis: node }) => node.keys("*suture-ward*")));
    expect(keys.flat()).toEqual([]);
    await worker.close();
    await queue.close();
  }
});

it("goes on with the promoted replica when the sentinels have declared the master dead", async () => {
  const master = await startOwnRedis();
  const replica = await startReplica(master.port);
  const sentinel = await startSentinel(master.port);
  const { Redis } = await import("ioredis");
  const asked = new Redis({ port: sentinel });
  await untilTrue(async () => {
    const replicas = (await asked.call("SENTINEL", "REPLICAS", "mymaster")) as unknown[];
    return replicas.length === 1;
  });
  asked.disconnect();
  const { system, gateway, order, end } = await openOfficeDeployment({
    url: `redis-sentinel://127.0.0.1:${sentinel}/mymaster`,
    replication: null,
  });
  const before = await order("before");
  await end(before);
  // WAIT speaks of its own connection's last write, which stands behind all the others.
  await master.redis.incr("suture:mark");
  await untilTrue(async () => (await master.redis.call("WAIT", 1, 1000)) === 1);
  await master.kill();
  await untilTrue(async () => (await replica.redis.info("replication")).includes("role:master"));
  await untilTrue(async () => (await gateway.send("/readyz")).status === 200);
  // The record of the run that had ended is there, and new ones go all the way, through the ward as well.
  expect((await system.until(before)).status).toBe("completed");
  for (const runId of [await order("after"), await order("after-broken", { broken: true })]) await end(runId);
});

const REPLICATION = { replicasMin: 1, waitMs: 300 };

/** A master and a replica whose link can be cut. */
async function openPair() {
  const master = await startOwnRedis();
  const link = await TcpProxy.open(master.port);
  onTestFinished(() => link.close());
  const replica = await startReplica(link.port);
  return { master, link, replica };
}

async function openGateway(
  master: { readonly url: string },
  replication: StoreOptions["replication"] = REPLICATION,
) {
  const gateway = await startTestGateway({ store: { url: master.url, replication } });
  const submit = (key: string): Promise<Response> =>
    gateway.post("/v1/tasks", { team: "gw-chain", input: { text: key } }, { "idempotency-key": key });
  await untilTrue(() => gateway.store.confirmation.hasReplicas());
  return { ...gateway, submit };
}

/** Fifty at once, of which the link is cut in the middle; then the master dies and the replica takes its place. */
async function failOver(replication: StoreOptions["replication"]) {
  const { master, link, replica } = await openPair();
  const gateway = await openGateway(master, replication);
  const before = await Promise.all(Array.from({ length: 20 }, (_, i) => gateway.submit(`before-${i}`)));
  const around = Array.from({ length: 30 }, (_, i) => gateway.submit(`around-${i}`));
  await around[0];
  link.misbehave("swallow_replies");
  const after = await Promise.all([
    ...around,
    ...Array.from({ length: 10 }, (_, i) => gateway.submit(`after-${i}`)),
  ]);
  await master.kill();
  await replica.redis.replicaof("NO", "ONE");
  const promoted = new Store({
    ...gateway.store.options,
    url: replica.url,
    replication: null,
    role: "worker",
  });
  onTestFinished(() => promoted.close());
  const answers = [...before, ...after];
  const accepted = answers.filter((answer) => answer.status === 202);
  const ids = await Promise.all(
    accepted.map(async (answer) => ((await answer.json()) as { run_id: string }).run_id),
  );
  const found = await Promise.all(ids.map((id) => promoted.runs.find(id)));
  const lost = found.filter((run) => run === null).length;
  return { accepted: accepted.length, asked: answers.length, lost };
}

it("keeps every task that was answered 202 through the death of the master and the promotion of a replica", async () => {
  const { accepted, asked, lost } = await failOver(REPLICATION);
  expect(accepted).toBeGreaterThanOrEqual(20);
  // The fault bit: some could not be confirmed.
  expect(accepted).toBeLessThanOrEqual(asked - 10);
  expect(lost).toBe(0);
});

it("tells nobody of an end that replicas do not have, and tells it once they do", async () => {
  const { master, link } = await openPair();
  const gateway = await openGateway(master);
  // A busy machine may take longer than one confirmation waits.
  const submit = () => gateway.system.submit({ text: "three words here" });
  const { runId } = await submit().catch(submit).catch(submit);
  link.misbehave("swallow_replies");
  await gateway.system.start();
  // Inside, work goes on: a failover would take an outcome and what follows from it back together.
  expect(await gateway.system.until(runId)).toMatchObject({ status: "completed" });
  const answer = await gateway.send(`/v1/runs/${runId}`);
  expect([answer.status, await answer.json()]).toMatchObject([503, { title: "Unavailable" }]);
  link.mend();
  await expect.poll(async () => (await gateway.send(`/v1/runs/${runId}`)).status).toBe(200);
});

it("calls an entry of a board written once replicas have it: a failover takes nothing back that a handler went by", async () => {
  const { master, link } = await openPair();
  const { store } = createTestSystem(officeTeam, { store: { url: master.url, replication: REPLICATION } });
  await untilTrue(() => store.confirmation.hasReplicas());
  const entry = { key: "seats", value: 4, expects: 0, writeId: "first", by: "desk@1", labels: [] } as const;
  const write = () => store.boards.write("run/seats", entry, BOARD_BOUNDS_DEFAULT);
  link.misbehave("swallow_replies");
  await expect(write()).rejects.toMatchObject({ code: "NOT_REPLICATED" });
  link.mend();
  await untilTrue(() => store.confirmation.hasReplicas());
  expect(await write()).toEqual({ kind: "written", version: 1 });
});
