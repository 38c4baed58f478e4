import { expect, test } from "vitest";
import { getCase } from "#shared/ward";
import type { CaseDetail, WardCase } from "#shared/ward";
import { startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";
import { plantDecision, readDecision } from "./support/forge-decision.ts";
import { startRealSurgeon } from "./support/start-real-surgeon.ts";

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
