import { expect, test } from "vitest";
import { getCase } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { findBatch } from "#shared/ward/batches";
import type { Batch } from "#shared/ward/batches";
import { startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";
import { startRealSurgeon } from "./support/start-real-surgeon.ts";

/** Two letters of one group, and one of another, that wait for a person. */
async function openGroup(): Promise<{ console: TestConsole; one: WardCase; other: WardCase }> {
  const console = await startTestConsole();
  await console.system.start();
  startRealSurgeon(console);
  const one = await console.admit({ order_id: null, amount: 1, note: "a" });
  await console.admit({ order_id: null, amount: 2, note: "a" });
  const other = await console.admit({ order_id: "A-1", amount: null, note: "a" });
  await waitFor(async () => (await console.store.cases.counts()).quarantined === 3);
  return { console, one, other };
}

async function plan(console: TestConsole, { fingerprint }: WardCase, canary: number): Promise<Batch> {
  const body = { decision: "discard", why: "spam", canary, rate_per_second: 1000 };
  const path = `/v1/ward/groups/${encodeURIComponent(fingerprint)}/apply`;
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
  expect((await console.post(`/v1/ward/applies/${swapped.batch_id}/start`)).status).toBe(202);
  await expectStopped(console, swapped.batch_id, { problem: /not those that were planned/, discarded: 0 });
});

test("goes no further than the person let it, and does what was signed, whatever its fields say", async () => {
  const { console, one } = await openGroup();
  const { redis, keys } = console.store;
  const canary = await plan(console, one, 1);
  const key = keys.ward(`batch:${canary.batch_id}`);
  await console.post(`/v1/ward/applies/${canary.batch_id}/start`);
  await waitFor(async () => (await findBatch(console.store, canary.batch_id))?.state === "look");
  await waitFor(async () => (await console.store.cases.counts()).discarded === 1);
  await redis.hset(key, { state: "running", canary: "0" });
  await expectStopped(console, canary.batch_id, {
    problem: /nobody has brought it to running/,
    discarded: 1,
  });
  const rest = await plan(console, one, 0);
  await redis.hset(keys.ward(`batch:${rest.batch_id}`), { decision: "release", by: "olga" });
  await console.post(`/v1/ward/applies/${rest.batch_id}/start`);
  await waitFor(async () => (await console.store.cases.counts()).discarded === 2);
  const last = await getCase(console.store, one.case_id);
  expect(last.status).toBe("discarded");
});

test("undoes no more than what people signed as discarded", async () => {
  const { console, one, other } = await openGroup();
  const { redis, keys } = console.store;
  const discard = await plan(console, one, 0);
  await console.post(`/v1/ward/applies/${discard.batch_id}/start`);
  await waitFor(async () => (await console.store.cases.counts()).discarded === 2);
  await console.post(`/v1/ward/cases/${other.case_id}/discard`, { why: "spam" });
  await waitFor(async () => (await console.store.cases.counts()).discarded === 3);
  // A case that another person discarded, slipped in among them.
  const key = keys.ward(`batch:${discard.batch_id}`);
  await redis.lset(`${key}:cases`, 0, other.case_id);
  await redis.hset(keys.ward(`case:${other.case_id}`), `batch:${discard.batch_id}`, "1");
  const undo = await console.post(`/v1/ward/applies/${discard.batch_id}/undo`, { why: "a mistake" });
  expect(undo.status).toBe(409);
  expect(await undo.text()).toContain("not those that were planned");
  expect(await console.store.cases.counts()).toMatchObject({ discarded: 3 });
});

test("goes on with work that nobody stopped, and not with what a person stopped", async () => {
  const { console, one } = await openGroup();
  const { redis, keys } = console.store;
  const keyOf = ({ batch_id }: Batch): string => keys.ward(`batch:${batch_id}`);
  const reach = ({ batch_id }: Batch, state: Batch["state"]): Promise<boolean> =>
    waitFor(async () => (await findBatch(console.store, batch_id))?.state === state);
  const stopped = await plan(console, one, 1);
  await console.post(`/v1/ward/applies/${stopped.batch_id}/start`);
  await reach(stopped, "look");
  await waitFor(async () => (await console.store.cases.counts()).discarded === 1);
  const before = await redis.hgetall(keyOf(stopped));
  expect((await console.post(`/v1/ward/applies/${stopped.batch_id}/stop`)).status).toBe(202);
  const { stop = "" } = await redis.hgetall(keyOf(stopped));
  // Without the word that stopped it, and with the one that it was begun by.
  await redis.del(keyOf(stopped));
  await redis.hset(keyOf(stopped), { ...before, state: "canary", canary: "2" });
  await expectStopped(console, stopped.batch_id, { problem: /ended before/, discarded: 1 });
  const unstopped = await plan(console, one, 0);
  for (const forged of ["", "{}", stop]) {
    await redis.hset(keyOf(unstopped), { state: "stopped", stop: forged });
    await reach(unstopped, "planned");
  }
  await console.post(`/v1/ward/applies/${unstopped.batch_id}/start`);
  await waitFor(async () => (await console.store.cases.counts()).discarded === 2);
});
