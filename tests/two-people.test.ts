import { expect, test } from "vitest";
import { getCase } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import type { Proposal } from "#shared/ward/decisions";
import { startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { SECRETS, TestConsole } from "../services/console/testing/start-test-console.ts";
import { plantDecision } from "./support/forge-decision.ts";
import { startRealSurgeon } from "./support/operate-on.ts";

const MESSAGE = { order_id: "A-1", amount: 12.5, note: "a lamp", account: 1 };
const WANTED = { ...MESSAGE, account: "DE-4711" };

/** A case with a change of an account that waits for a second person. */
async function propose(
  by: keyof typeof SECRETS | { readonly cookie: string } = "admin",
  console?: TestConsole,
): Promise<{ console: TestConsole; one: WardCase }> {
  const at = console ?? (await startTestConsole());
  if (console === undefined) {
    await at.system.start();
    startRealSurgeon(at);
  }
  const { case_id } = await at.admit(MESSAGE);
  await waitFor(async () => (await getCase(at.store, case_id)).status === "quarantined");
  const body = { payload: WANTED, why: "new account" };
  const sent = await at.post(`/v1/ward/cases/${case_id}/release`, body, senderOf(by, at));
  expect(sent.status).toBe(202);
  const one = await waitFor(async () => {
    const found = await getCase(at.store, case_id);
    return found.decision === null && found.proposal !== null && found;
  });
  return { console: at, one };
}

function senderOf(
  by: keyof typeof SECRETS | { readonly cookie: string },
  { url }: TestConsole,
): NonNullable<Parameters<TestConsole["post"]>[2]> {
  return typeof by === "string" ? { key: by } : { key: null, headers: { cookie: by.cookie, origin: url } };
}

async function logInByLink(console: TestConsole): Promise<{ cookie: string }> {
  const token = await console.offerLink();
  const answer = await console.post("/v1/session", { token }, { key: null });
  return { cookie: (answer.headers.get("set-cookie") ?? "").split(";", 1)[0] ?? "" };
}

const approve = (
  console: TestConsole,
  { case_id }: WardCase,
  by: keyof typeof SECRETS | { readonly cookie: string },
): Promise<Response> =>
  console.post(`/v1/ward/cases/${case_id}/approve`, { why: "checked" }, senderOf(by, console));

test("lets a change that takes two people go on by two people, whoever comes first", async () => {
  const { console, one } = await propose("operator");
  expect((await approve(console, one, "phone")).status).toBe(202);
  expect((await console.system.until(one.run_id)).result).toMatchObject({ booked: "A-1" });
});

test("counts two keys of one person, and whoever comes by a login link, as no second person", async () => {
  const { console, one } = await propose("admin");
  for (const by of ["admin", "phone", await logInByLink(console)] as const) {
    const answer = await approve(console, one, by);
    expect({ status: answer.status, ...((await answer.json()) as object) }).toMatchObject({
      status: 409,
      detail: expect.stringContaining("another one"),
    });
  }
  expect((await approve(console, one, "operator")).status).toBe(202);
  const link = await logInByLink(console);
  const { one: second } = await propose(link, console);
  expect((await approve(console, second, "operator")).status).toBe(409);
});

test("counts a key that somebody made for the purpose as no second person, nor as a first", async () => {
  const { console, one } = await propose("admin");
  const asked = { name: "helpful", scope: "operator", why: "a second pair of eyes" };
  const made = await console.post("/v1/api-keys", asked);
  expect(made.status).toBe(201);
  const { secret } = (await made.json()) as { secret: string };
  const made_by_admin = { key: null, headers: { authorization: `Bearer ${secret}` } };
  const approval = () =>
    console.post(`/v1/ward/cases/${one.case_id}/approve`, { why: "checked" }, made_by_admin);
  await expect.poll(async () => (await approval()).status).toBe(409);
  expect((await approve(console, one, "operator")).status).toBe(202);
});

test("carries out no approval whose person was changed, though its name was not", async () => {
  const { console, one } = await propose("admin");
  await console.post("/v1/queues/ward/pause");
  expect((await approve(console, one, "operator")).status).toBe(202);
  const key = console.store.keys.ward(`case:${one.case_id}`);
  const genuine = JSON.parse((await console.store.redis.hget(key, "decision")) ?? "") as object;
  await plantDecision(console.store, one.case_id, { decision: { ...genuine, by: "grace", person: "grace" } });
  await console.post("/v1/queues/ward/resume");
  const left = await waitFor(async () => {
    const found = await getCase(console.store, one.case_id);
    return found.decision === null && found;
  });
  expect(left.diagnosis).toMatch(/signature does not hold/);
  expect((await console.store.runs.get(one.run_id)).result).toBeNull();
});

/** Somebody rewrites the change that waits, and a second person approves what waits. */
async function approveChanged(
  change: (waiting: Proposal) => object,
): Promise<{ approved: number; left: WardCase | null; isDone: boolean }> {
  const { console, one } = await propose("admin");
  const key = console.store.keys.ward(`case:${one.case_id}`);
  const waiting = JSON.parse((await console.store.redis.hget(key, "proposal")) ?? "") as Proposal;
  await console.store.redis.hset(key, "proposal", JSON.stringify(change(waiting)));
  const { status: approved } = await approve(console, one, "operator");
  if (approved !== 202) return { approved, left: null, isDone: false };
  const left = await waitFor(async () => {
    const found = await getCase(console.store, one.case_id);
    return found.decision === null && found;
  });
  const run = await console.store.runs.get(one.run_id);
  return { approved, left, isDone: run.result !== null || left.status === "released" };
}

test("carries out no approval of a change that nobody proposed, and takes that change away", async () => {
  const stolen = JSON.stringify({ ...WANTED, account: "XX999" });
  const unsigned = await approveChanged(({ decision: _signed, ...rest }) => ({ ...rest, payload: stolen }));
  expect(unsigned).toMatchObject({ approved: 409, isDone: false });
  const turned = await approveChanged(({ decision, ...rest }) => ({
    ...rest,
    payload: stolen,
    decision: { ...decision, payload: stolen },
  }));
  expect(turned).toMatchObject({ approved: 202, isDone: false, left: { proposal: null } });
  expect(turned.left?.diagnosis).toMatch(/The change that waits is not to be believed/);
  // Who reads only what is shown approves that, and what was signed goes: never the other way round.
  const shown = await approveChanged((waiting) => ({ ...waiting, by: "grace" }));
  expect(shown).toMatchObject({ approved: 202, isDone: true });
});

test("refuses an approval of another change than the one that was looked at", async () => {
  const { console, one } = await propose("admin");
  const path = `/v1/ward/cases/${one.case_id}/approve`;
  const body = { why: "checked", proposal: "0".repeat(64) };
  expect((await console.post(path, body, { key: "operator" })).status).toBe(409);
});
