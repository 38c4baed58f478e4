import { expect, test } from "vitest";
import { getCase } from "#shared/ward";
import type { CaseDetail, WardCase } from "#shared/ward";
import { findBatch } from "#shared/ward/batches";
import type { Batch } from "#shared/ward/batches";
import { startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";
import { plantDecision, readDecision } from "./support/forge-decision.ts";
import { startRealSurgeon } from "./support/operate-on.ts";

const BROKEN = { order_id: null, amount: 12.5, note: "a lamp" };
const WANTED = { order_id: "A-1", amount: 12.5, note: "a lamp" };
const STOLEN = { order_id: "A-9", amount: 12.5, note: "to another address" };
const SAID = { by: "ada", person: "ada", why: "asked the customer", at: "2026-01-01T00:00:00.000Z" };

type Post = (action: string, body: Readonly<Record<string, unknown>>) => Promise<Response>;

/** A case that waits for a person, with nobody to carry out what is decided until `startRealSurgeon`. */
async function open(payload: unknown = BROKEN): Promise<{ console: TestConsole; one: WardCase; post: Post }> {
  const console = await startTestConsole();
  await console.system.start();
  const one = await console.admit(payload);
  return { console, one, post: postTo(console, one) };
}

function postTo(console: TestConsole, { case_id }: WardCase): Post {
  return (action, body) => console.post(`/v1/ward/cases/${case_id}/${action}`, body);
}

/** The case once nothing waits to be carried out; it says what became of that. */
async function settled(console: TestConsole, { case_id }: WardCase): Promise<CaseDetail> {
  return waitFor(async () => {
    const found = await getCase(console.store, case_id);
    return found.decision === null && found.status !== "in_surgery" && found.status !== "admitted" && found;
  });
}

/** Not carried out, and the case says so where a person looks. */
async function expectRefused(console: TestConsole, one: WardCase): Promise<void> {
  const found = await settled(console, one);
  expect(found.status).toBe("quarantined");
  expect(found.diagnosis).toMatch(/not to be believed: .*\. A person has to decide anew\.$/);
  expect(found.discharged_as).toBeNull();
  const audit = await console.store.cases.audit(one.case_id, 5);
  expect(audit[0]).toMatchObject({ by: "surgeon@1", action: "refuse" });
}

test("carries out no release that nobody signed, and takes the person's own one afterwards", async () => {
  const { console, one, post } = await open();
  startRealSurgeon(console);
  await waitFor(async () => (await getCase(console.store, one.case_id)).status === "quarantined");
  const decision = { ...SAID, kind: "release", payload: JSON.stringify(STOLEN) };
  await plantDecision(console.store, one.case_id, { decision });
  await expectRefused(console, one);
  expect((await post("release", { payload: WANTED, why: "asked" })).status).toBe(202);
  expect((await console.system.until(one.run_id)).result).toMatchObject({ booked: "A-1" });
});

test.each(["discard", "redirect", "operate"])("carries out no %s that nobody signed", async (kind) => {
  const { console, one } = await open();
  startRealSurgeon(console);
  await waitFor(async () => (await getCase(console.store, one.case_id)).status === "quarantined");
  const to = kind === "redirect" ? { to: "con-spare" } : {};
  await plantDecision(console.store, one.case_id, { decision: { ...SAID, kind, ...to } });
  await expectRefused(console, one);
});

test.each([
  ["payload", JSON.stringify(STOLEN)],
  ["by", "olga"],
  ["person", "olga"],
  ["why", "no reason"],
  ["kind", "discard"],
  ["to", "con-spare"],
  ["batch_id", "b"],
  ["at", "2027-01-01T00:00:00.000Z"],
])("carries out no genuine release whose %s was changed since", async (name, value) => {
  const { console, one, post } = await open();
  expect((await post("release", { payload: WANTED, why: "asked" })).status).toBe(202);
  const genuine = JSON.parse(await readDecision(console.store, one.case_id)) as object;
  const changed = JSON.stringify({ ...genuine, [name]: value });
  await console.store.redis.hset(console.store.keys.ward(`case:${one.case_id}`), "decision", changed);
  startRealSurgeon(console);
  const found = await waitFor(async () => {
    const present = await getCase(console.store, one.case_id);
    return present.decision === null && present;
  });
  expect(found.diagnosis).toMatch(/not to be believed: its signature does not hold/);
  expect((await console.store.runs.get(one.run_id)).result).toBeNull();
});

test("carries out no genuine decision on another case", async () => {
  const { console, one, post } = await open();
  const other = await console.admit({ ...BROKEN, amount: 13 });
  expect((await post("release", { payload: WANTED, why: "asked" })).status).toBe(202);
  const genuine = await readDecision(console.store, one.case_id);
  startRealSurgeon(console);
  expect((await console.system.until(one.run_id)).result).toMatchObject({ booked: "A-1" });
  await waitFor(async () => (await getCase(console.store, other.case_id)).status === "quarantined");
  await plantDecision(console.store, other.case_id, { decision: genuine });
  await expectRefused(console, other);
});

test("sends a message once though its genuine release, and the version it was for, are put back", async () => {
  const { console, one, post } = await open();
  expect((await post("release", { payload: WANTED, why: "asked" })).status).toBe(202);
  const { redis, keys } = console.store;
  const key = keys.ward(`case:${one.case_id}`);
  const before = await redis.hgetall(key);
  startRealSurgeon(console);
  expect((await console.system.until(one.run_id)).status).toBe("completed");
  await redis.hset(key, before);
  await plantDecision(console.store, one.case_id, {
    decision: before["decision"] ?? "",
    at: Number(before["version"]),
  });
  await waitFor(async () =>
    /carried out before/.test((await getCase(console.store, one.case_id)).diagnosis ?? ""),
  );
  const events = await console.store.runs.events(one.run_id, { from: 0, limit: 100 });
  expect(events.filter(({ type }) => type === "completed")).toHaveLength(1);
});

test("believes no person's word on a tool call that nobody gave, or that was turned round", async () => {
  const { console, one, post } = await open({ ...WANTED, note: "by wire" });
  const call = { call_id: "wire-1", tool: "wire", arguments: { amount: 12.5 } };
  const yes = JSON.stringify({ call, approved: true, note: "yes" });
  startRealSurgeon(console);
  await plantDecision(console.store, one.case_id, { decision: { ...SAID, kind: "release", payload: yes } });
  await expectRefused(console, one);
  // A genuine no, of which somebody makes a yes before the surgeon looks.
  await console.post("/v1/queues/ward/pause");
  expect((await post("approval", { approved: false, why: "no" })).status).toBe(202);
  const genuine = JSON.parse(await readDecision(console.store, one.case_id)) as object;
  await plantDecision(console.store, one.case_id, { decision: { ...genuine, payload: yes } });
  await console.post("/v1/queues/ward/resume");
  await expectRefused(console, one);
  expect((await console.store.runs.get(one.run_id)).result).toBeNull();
});

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
