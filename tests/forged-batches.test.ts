import { expect, test } from "vitest";
import { findBatch, getCase } from "#shared/ward";
import type { Batch, WardCase } from "#shared/ward";
import { startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";
import { startRealSurgeon } from "./support/start-real-surgeon.ts";

/** Two letters of one group, and one of another, that wait for a person. */
async function openGroup(): Promise<{ console: TestConsole; one: WardCase; other: WardCase }> {
  const console = await startTestConsole();
  await console.world.start();
  startRealSurgeon(console);
  const one = await console.admit({ order_id: null, amount: 1, note: "a" });
  await console.admit({ order_id: null, amount: 2, note: "a" });
  const other = await console.admit({ order_id: "A-1", amount: null, note: "a" });
  await waitFor(async () => (await console.store.cases.counts()).quarantined === 3);
  return { console, one, other };
}

async function plan(console: TestConsole, { fingerprint }: WardCase, canary: number): Promise<Batch> {
  const body = { decision: "discard", why: "spam", canary, rate_per_second: 1000 };
  const path = `/api/v1/ward/groups/${encodeURIComponent(fingerprint)}/apply`;
  const { batch_id } = (await (await console.post(path, body)).json()) as Batch;
  return waitFor(async () => {
    const found = await findBatch(console.store, batch_id);
    return found?.state === "planned" && found;
  });
}

/** It is stopped, says why, and nothing was discarded that `discarded` does not allow. */
async function expectStopped(
  console: TestConsole,
  batchId: string,
  said: { readonly problem: RegExp; readonly discarded: number },
): Promise<void> {
  const stopped = await waitFor(async () => {
    const found = await findBatch(console.store, batchId);
    return (found?.state === "stopped" || found?.state === "done") && found;
  });
  expect(stopped).toMatchObject({ state: "stopped", problem: expect.stringMatching(said.problem) });
  expect(await console.store.cases.counts()).toMatchObject({ discarded: said.discarded });
}

test("stops work on a group that nobody signed", async () => {
  const { console, one } = await openGroup();
  const fields = { decision: "discard", by: "ada", why: "x", canary: "0", rate_per_second: "1000" };
  const state = { state: "running", created_ms: "1", changed_ms: String(Date.now()), total: "1" };
  const batch = { ...fields, ...state, fingerprint: one.fingerprint };
  await console.store.cases.batches.create("planted", batch, [one.case_id]);
  await expectStopped(console, "planted", { problem: /nobody has signed it/, discarded: 0 });
});

test("stops a genuine plan that no person started, or whose cases are others by now", async () => {
  const { console, one, other } = await openGroup();
  const { redis, keys } = console.store;
  const unstarted = await plan(console, one, 1);
  await redis.hset(keys.ward(`batch:${unstarted.batch_id}`), "state", "running");
  await expectStopped(console, unstarted.batch_id, { problem: /nobody has started it/, discarded: 0 });
  const swapped = await plan(console, one, 0);
  await redis.lset(keys.ward(`batch:${swapped.batch_id}:cases`), 0, other.case_id);
  expect((await console.post(`/api/v1/ward/applies/${swapped.batch_id}/start`)).status).toBe(202);
  await expectStopped(console, swapped.batch_id, { problem: /not those that were planned/, discarded: 0 });
});

test("goes no further than the person let it, and does what was signed, whatever its fields say", async () => {
  const { console, one } = await openGroup();
  const { redis, keys } = console.store;
  const canary = await plan(console, one, 1);
  const key = keys.ward(`batch:${canary.batch_id}`);
  await console.post(`/api/v1/ward/applies/${canary.batch_id}/start`);
  await waitFor(async () => (await findBatch(console.store, canary.batch_id))?.state === "look");
  await waitFor(async () => (await console.store.cases.counts()).discarded === 1);
  await redis.hset(key, { state: "running", canary: "0" });
  await expectStopped(console, canary.batch_id, {
    problem: /nobody has brought it to running/,
    discarded: 1,
  });
  const rest = await plan(console, one, 0);
  await redis.hset(keys.ward(`batch:${rest.batch_id}`), { decision: "release", by: "olga" });
  await console.post(`/api/v1/ward/applies/${rest.batch_id}/start`);
  await waitFor(async () => (await console.store.cases.counts()).discarded === 2);
  const last = await getCase(console.store, one.case_id);
  expect(last.status).toBe("discarded");
});
