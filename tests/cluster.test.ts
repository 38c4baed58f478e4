import { expect, it } from "vitest";
import { Keys } from "#shared/store";
import { createTestSystem } from "#shared/testing";
import { measure as measureForConsole } from "../services/console/live/measure.ts";
import crowd from "./crash-points/pattern-teams/crowd/team.ts";
import officeTeam from "./support/office-team/office/team.ts";
import { openOfficeDeployment } from "./support/office-deployment.ts";
import { openCluster, SLOTS } from "./support/open-cluster.ts";
import { untilTrue } from "./support/redis-servers.ts";

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
  await expect.poll(audited, { timeout: 60_000 }).toMatchObject({ audit: { done_at: expect.any(String) } });
  const stats = (await (await gateway.send("/v1/stats")).json()) as { equation: object; outbox: object };
  expect(stats.equation).toMatchObject({ submitted: 13, completed: 13, balanced: true });
  const seen = await measureForConsole({
    store: system.store,
    teams: [officeTeam],
    isRehearsal: false,
    surgeryLimits: { cost_per_case: 0, cost_per_hour: 0, cost_per_group: 0 },
  });
  expect(seen.equation).toMatchObject({ completed: 13, balanced: true });
  expect(seen.ward.discharged).toBe(4);
  expect((await gateway.send("/readyz")).status).toBe(200);
  // Every key lies where its hash tag says, and all that a run touches under one tag.
  const keys = (
    await Promise.all([low, high].map(({ redis }) => redis.keys(`${system.store.keys.prefix}*`)))
  ).flat();
  expect(keys.filter((key) => !/^[^{]+\{(?:s0|people|recent|door|registry)\}/.test(key))).toEqual([]);
  // One script for a hop: nothing was ever owed.
  expect(keys.filter((key) => key.endsWith("/outbox"))).toEqual([]);
}, 120_000);

it("goes on when a slot has moved from one master to the other", async () => {
  const { low, high, url } = await openCluster();
  const { system, order, end } = await openOfficeDeployment({ url });
  await end(await order("before"));
  const slot = await low.redis.cluster("KEYSLOT", new Keys(system.store.keys.prefix).outbox("desk"));
  const [from, to] = slot < SLOTS / 2 ? [low, high] : [high, low];
  const idOf = async ({ redis }: typeof low): Promise<string> => String(await redis.call("CLUSTER", "MYID"));
  const [fromId, toId] = [await idOf(from), await idOf(to)];
  await to.redis.call("CLUSTER", "SETSLOT", slot, "IMPORTING", fromId);
  await from.redis.call("CLUSTER", "SETSLOT", slot, "MIGRATING", toId);
  // A shard that is half here and half there refuses every script, until its last key has moved.
  const waiting = ["while-moving-1", "while-moving-2"].map((id) => order(id, { repeats: true }));
  await untilTrue(async () => {
    const keys = (await from.redis.call("CLUSTER", "GETKEYSINSLOT", slot, 1000)) as string[];
    if (keys.length === 0) return true;
    await from.redis.call("MIGRATE", "127.0.0.1", to.port, "", 0, 5000, "KEYS", ...keys);
    return false;
  });
  for (const one of [to, from]) await one.redis.call("CLUSTER", "SETSLOT", slot, "NODE", toId);
  waiting.push(order("moved"), order("moved-broken", { broken: true }));
  for (const runId of await Promise.all(waiting)) await end(runId);
}, 120_000);

it("brings fan-outs together and keeps boards on a cluster, where each board lies in a slot of its own", async () => {
  const { url } = await openCluster();
  const system = createTestSystem(crowd, { store: { url } });
  await system.start();
  const runs = await Promise.all([1, 20, 50, 50].map((writers) => system.submit({ writers })));
  for (const [index, writers] of [1, 20, 50, 50].entries()) {
    const run = await system.until(runs[index]?.runId ?? "");
    const all = Array.from({ length: writers }, (_, n) => n);
    expect(run).toMatchObject({ status: "completed" });
    expect(new Set((run.result as { written: number[] }).written)).toEqual(new Set(all));
  }
  expect(await system.store.runs.counts()).toMatchObject({ submitted: 4, completed: 4 });
}, 120_000);
