import { expect, test } from "vitest";
import { getCase } from "#shared/ward";
import type { WardCase } from "#shared/ward";
import { startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { SECRETS, TestConsole } from "../services/console/testing/start-test-console.ts";
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

test("refuses an approval of another change than the one that was looked at", async () => {
  const { console, one } = await propose("admin");
  const path = `/v1/ward/cases/${one.case_id}/approve`;
  const body = { why: "checked", proposal: "0".repeat(64) };
  expect((await console.post(path, body, { key: "operator" })).status).toBe(409);
});
