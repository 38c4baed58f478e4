import { expect, it } from "vitest";
import { auditRuns } from "#shared/store/upkeep";
import { findCases } from "#shared/ward";
import { openIsolatedDeployment, setPaused, startAll } from "./deployment.ts";

it("does all work of a team with agents that write their own slots alone, and meets no refusal", async () => {
  const deployment = await openIsolatedDeployment();
  await startAll(deployment, 2);
  const { system, submit, until, gateway } = deployment;
  const { store } = system;
  const plain = await Promise.all(Array.from({ length: 20 }, (_, turn) => submit({ id: `p-${turn}` })));
  for (const run of plain)
    expect(await until(run)).toMatchObject({ status: "completed", result: { boxes: 3 } });
  for (const way of ["retry", "slow", "two"]) {
    const run = await submit({ id: way, way });
    expect(await until(run), way).toMatchObject({ status: "completed", result: { boxes: 3 } });
  }
  // Dead at its receiver, healed by the surgeon, and done.
  const healed = await submit({ id: "broken", boxes: "3" });
  expect(await until(healed)).toMatchObject({ status: "completed", result: { boxes: 3 } });
  expect((await findCases(store, { filter: { run_id: healed }, limit: 5 })).cases).toHaveLength(1);
  // Dead before it travels: nobody can say how many boxes these are.
  const dead = await submit({ id: "dead", way: "dead" });
  await until(dead, ["quarantined"]);
  expect((await findCases(store, { filter: { run_id: dead }, limit: 5 })).cases).toHaveLength(1);
  // Rejected, and taken by another agent that accepts the same.
  const rejected = await submit({ id: "rejected", way: "reject" });
  expect(await until(rejected)).toMatchObject({ status: "completed", result: { boxes: 3 } });
  const cancelled = await submit({ id: "slow-2", way: "slow" });
  await until(cancelled, ["running"]);
  expect((await gateway.send(`/v1/runs/${cancelled}/cancel`, { method: "POST" })).status).toBeLessThan(300);
  expect((await until(cancelled)).status).toBe("cancelled");
  // A late duplicate of a job is replayed: no second outcome.
  const [first = ""] = plain;
  const before = await store.runs.events(first, { from: 0, limit: 100 });
  const message = (await store.runs.messages(first)).find(({ agent }) => agent === "crane");
  const key = store.keys.job("crane", "crane", message?.message_id ?? "");
  const data = (await store.redis.hget(key, "data")) ?? "{}";
  await store.redis.del(key);
  await store.queues.add({
    lane: "fresh",
    agent: "crane",
    jobId: message?.message_id ?? "",
    data: JSON.parse(data),
    delayMs: 0,
    priority: "normal",
  });
  await expect.poll(() => store.redis.hexists(key, "finishedOn"), { timeout: 60_000 }).toBe(1);
  expect(await store.runs.events(first, { from: 0, limit: 100 })).toEqual(before);
  // Bytes that never verify are quarantined, and the relay finds the run that waits for them.
  await setPaused(deployment, "crane", true);
  const spoilt = await submit({ id: "spoilt" });
  const waiting = async (): Promise<string> =>
    (await store.runs.messages(spoilt)).find(({ agent }) => agent === "crane")?.message_id ?? "";
  await expect.poll(waiting, { timeout: 60_000 }).not.toBe("");
  const job = store.keys.job("crane", "crane", await waiting());
  await expect.poll(() => store.redis.exists(job), { timeout: 60_000 }).toBe(1);
  const sealed = (await store.redis.hget(job, "data")) ?? "";
  await store.redis.hset(job, "data", sealed.replace("boxes", "bores"));
  await setPaused(deployment, "crane", false);
  await until(spoilt, ["quarantined"]);
  const hasCase = async (messageId: string): Promise<boolean> =>
    (await findCases(store, { filter: {}, limit: 100 })).cases.some(
      ({ message_id }) => message_id === messageId,
    );
  await expect.poll(async () => (await auditRuns(store, hasCase)).lost, { timeout: 60_000 }).toEqual([]);
  expect(await deployment.refusedByRedis()).toEqual([]);
}, 240_000);
