import { expect, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent as defineAgent, team } from "#shared/runtime";
import type { WardCase } from "#shared/ward";
import type { Batch } from "#shared/ward/batches";
import { SECRETS, startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";
import type { CaseView } from "../services/console/ward/view-case.ts";
import { runCli } from "./support/run-cli.ts";
import { openSurgeonAndConsole, startRealSurgeon } from "./support/operate-on.ts";
import { checkRedirect } from "../services/console/api/operations/cases.ts";
import { repairWith } from "../services/surgeon/testing/surgeon-test-system.ts";

const GOOD = { order_id: "A-1", amount: 12.5, note: "a lamp" };

test("takes an edited payload of every size that a message may have, with its digits as typed", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const long = "a lamp ".repeat(8500);
  const { case_id, run_id } = await console.admit({ order_id: long, amount: 12.5, note: 7 });
  const path = `/v1/ward/cases/${case_id}`;
  const payload_text = `{"order_id":${JSON.stringify(long)},"amount":12.50,"note":${JSON.stringify(long)}}`;
  expect(payload_text.length).toBeGreaterThan(110_000);
  const checked = await console.post(`${path}/check`, { payload_text });
  expect({ status: checked.status, body: await checked.json() }).toMatchObject({
    status: 200,
    body: { acceptable: true },
  });
  // Nearly a megabyte is read too, and refused by its contract at the place, not by its size.
  const huge = JSON.stringify({
    ...GOOD,
    surplus: Array.from({ length: 12 }, () => 'a "lamp" '.repeat(7000)),
  });
  const refused = await console.post(`${path}/check`, { payload_text: huge });
  expect({ status: refused.status, body: await refused.json() }).toMatchObject({
    status: 200,
    body: { acceptable: false },
  });
  // One string that no envelope takes is named where it stands.
  const bound = await console.post(`${path}/check`, { payload: { ...GOOD, note: "x ".repeat(40_000) } });
  expect(await bound.json()).toMatchObject({ issues: [{ path: "/note", code: "string_too_long" }] });
  expect((await console.post(`${path}/release`, { payload_text, why: "asked" })).status).toBe(202);
  startRealSurgeon(console);
  expect((await console.system.until(run_id)).status).toBe("completed");
});

test("lets a person change a value that was sound, as the surgeon does", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id, run_id } = await console.admit({ ...GOOD, note: "a blue lamp, on Friday", wish: "soon" });
  const path = `/v1/ward/cases/${case_id}`;
  const payload = { ...GOOD, note: "a lamp" };
  const unnamed = await console.post(`${path}/check`, {});
  expect({ status: unnamed.status, text: await unnamed.text() }).toMatchObject({
    status: 422,
    text: expect.stringContaining('"/payload"'),
  });
  const checked = await (await console.post(`${path}/check`, { payload })).json();
  expect(checked).toMatchObject({ acceptable: true, issues: [], second_person: [] });
  expect((await console.post(`${path}/release`, { payload, why: "they called" })).status).toBe(202);
  startRealSurgeon(console);
  expect((await console.system.until(run_id)).status).toBe("completed");
});

test("undoes a discard of a whole group in one act, and tells what it can no longer undo", async () => {
  const console = await startTestConsole();
  await console.system.start();
  startRealSurgeon(console);
  const made = [1, 2, 3].map((n) => console.admit({ ...GOOD, order_id: null, surplus: `x${n}` }));
  const messages = await Promise.all(made);
  const fingerprint = encodeURIComponent(messages[0]?.fingerprint ?? "");
  const counts = async () => console.store.cases.counts();
  await waitFor(async () => (await counts()).quarantined === 3);
  const batch = async (id: string): Promise<Batch> =>
    (await console.send(`/v1/ward/applies/${id}`)).json() as Promise<never>;
  const body = { decision: "discard", why: "spam", canary: 0, rate_per_second: 1000 };
  const planned = await console.post(`/v1/ward/groups/${fingerprint}/apply`, body);
  const { batch_id } = (await planned.json()) as Batch;
  const undo = (id: string) => console.post(`/v1/ward/applies/${id}/undo`, { why: "no spam" });
  await waitFor(async () => (await batch(batch_id)).state === "planned");
  await console.post(`/v1/ward/applies/${batch_id}/start`, {});
  await waitFor(async () => (await counts()).discarded === 3);
  for (const { run_id } of messages) expect((await console.system.until(run_id)).status).toBe("failed");
  const to = ["--console-url", console.url, "--key", SECRETS.operator];
  const said = await runCli(["ward", "undo", batch_id, "--why", "it was no spam", ...to]);
  expect(said).toMatchObject({ code: 0, stderr: "" });
  expect(said.stdout).toContain("restores 3 cases");
  await waitFor(async () => (await counts()).quarantined === 3);
  // Their runs wait for them again.
  for (const { run_id } of messages)
    expect((await console.store.runs.get(run_id)).status).toBe("quarantined");
  const { applies } = (await (await console.send("/v1/ward/applies")).json()) as { applies: Batch[] };
  const undone = applies.find(({ undoes }) => undoes === batch_id);
  expect(undone).toMatchObject({ decision: "restore", by: "olga", total: 3 });
  await waitFor(async () => (await batch(undone?.batch_id ?? "")).left_behind === 3);
  const { audit } = (await (await console.send(`/v1/ward/groups/${fingerprint}`)).json()) as CaseView;
  expect(audit[0]).toMatchObject({ action: "group.undo", by: "olga", why: "it was no spam" });
  // Cases that a person discards afterwards are theirs.
  const [first] = messages;
  await console.post(`/v1/ward/cases/${first?.case_id}/discard`, { why: "this one is" });
  await waitFor(async () => (await counts()).discarded === 1);
  expect((await undo(batch_id)).status).toBe(409);
  expect((await undo("none")).status).toBe(404);
});

test("says before the start what model calls for the rest would cost, and pauses for a person", async () => {
  const console = await startTestConsole();
  await console.system.start();
  startRealSurgeon(console);
  const made = [1, 2, 3].map((n) => console.admit({ ...GOOD, order_id: null, surplus: `x${n}` }));
  const [first = await console.admit(GOOD)] = await Promise.all(made);
  const { case_id: caseId, fingerprint } = first;
  await waitFor(async () => (await console.store.cases.counts()).quarantined === 3);
  const plan = async (more: object) => {
    const body = { decision: "operate", why: "money", rate_per_second: 0.1, ...more };
    const planned = await console.post(`/v1/ward/groups/${encodeURIComponent(fingerprint)}/apply`, body);
    const { batch_id } = (await planned.json()) as Batch;
    const work = `/v1/ward/applies/${batch_id}`;
    const seen = async () => (await (await console.send(work)).json()) as Batch;
    await waitFor(async () => (await seen()).state === "planned");
    return { work, batch: await seen() };
  };
  const all = { only_passing: false };
  expect((await plan(all)).batch).toMatchObject({
    would_pass: 0,
    forecast: { likely_usd: null, most_usd: expect.closeTo(0.3) },
  });
  const bounds = { caseMicroMax: 1e6, hourMicroMax: 1e6, tenantMicroMax: 1e6, groupMicroMax: 1e6 };
  const spent = { caseId, fingerprint, tenant: "local", micro: 20_000, limits: bounds };
  expect(await console.store.cases.costs.reserve(spent)).toMatchObject({ kind: "reserved" });
  expect((await plan(all)).batch).toMatchObject({
    forecast: { likely_usd: expect.closeTo(0.06), most_usd: expect.closeTo(0.3) },
  });
  const free = { likely_usd: 0, most_usd: 0 };
  for (const more of [{}, { ...all, decision: "discard" }])
    expect((await plan(more)).batch).toMatchObject({ forecast: free });
  const { work } = await plan({ ...all, decision: "discard", canary: 0 });
  await console.post(`${work}/start`, {});
  const paused = await console.post(`${work}/pause`, { why: "lunch" });
  expect([paused.status, await paused.json()]).toMatchObject([202, { state: "look" }]);
  expect(await (await console.post(`${work}/start`, {})).json()).toMatchObject({ state: "running" });
  const people = await (await console.send("/v1/audit/people")).text();
  expect(people).toContain("group.pause");
  expect(people).toContain("lunch");
});

const BAD = { order_id: "A-1", amount: 12.5, note: 7 };

async function view(console: TestConsole, caseId: string): Promise<CaseView> {
  return (await (await console.send(`/v1/ward/cases/${caseId}`)).json()) as CaseView;
}

test("shows a case with its original, its failures at their paths, the run's timeline and who did what", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const made = await console.admit({ ...GOOD, note: 7 });
  const seen = await view(console, made.case_id);
  expect(seen.original).toEqual({ text: '{"order_id":"A-1","amount":12.5,"note":7}', is_json: true });
  expect(seen.marks).toContainEqual(expect.objectContaining({ path: "/note", from: "failure" }));
  expect(seen.message?.failures[0]?.failure_class).toBe("validation_error");
  expect(seen.timeline.map(({ type }) => type)).toContain("in_ward");
  expect(seen.audit.map(({ action }) => action)).toContain("admit");
  expect(seen.run?.status).toBe("in_ward");
  expect(seen.redirects).toEqual(["con-spare"]);
  expect(seen.actions).toContain("release");
});

test("lists cases by every filter, groups with their trend, and nothing for a filter that does not hold", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const made = await console.admit(BAD);
  const list = async (query: string): Promise<WardCase[]> =>
    ((await (await console.send(`/v1/ward/cases?${query}`)).json()) as { cases: WardCase[] }).cases;
  for (const query of [
    "",
    `status=${made.status}`,
    `fingerprint=${encodeURIComponent(made.fingerprint)}`,
    "agent=con-book",
    `run_id=${made.run_id}`,
    "failure_class=validation_error",
    `text=${made.case_id.slice(0, 8)}`,
  ]) {
    expect(
      (await list(query)).map(({ case_id }) => case_id),
      query,
    ).toEqual([made.case_id]);
  }
  expect(await list("agent=nobody")).toEqual([]);
  expect((await console.send("/v1/ward/cases?status=lost")).status).toBe(422);
  expect((await console.send("/v1/ward/cases?limit=0")).status).toBe(422);
  const groups = await (await console.send("/v1/ward/groups")).json();
  expect(groups).toMatchObject({ groups: [{ fingerprint: made.fingerprint, count: 1, open: 1 }] });
});

test("refuses to redirect a message to an agent that its team has not, or that takes another contract", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id, version } = await console.admit(BAD);
  const path = `/v1/ward/cases/${case_id}/redirect`;
  const answer = await console.post(path, { why: "x", agent: "nobody" });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({ errors: [{ pointer: "/agent", code: "unknown_agent" }] });
  // The same team as a newer release declares it.
  const ship = defineAgent("con-ship@1", {
    accepts: contract("con.parcel@1", z.object({ parcel_id: z.string() })),
    handle: (parcel, ctx) => ctx.complete(parcel),
  });
  const teams = [team("con-orders", [ship])];
  const redirect = checkRedirect({ store: console.store, teams }, { caseId: case_id, agent: "con-ship" });
  await expect(redirect).rejects.toMatchObject({ issues: [{ path: "/agent", code: "other_contract" }] });
  expect((await view(console, case_id)).case).toMatchObject({ decision: null, version });
});

test("a case without a waiting tool call takes no such decision", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const broken = await console.admit(BAD);
  const answer = await console.post(`/v1/ward/cases/${broken.case_id}/approval`, {
    approved: true,
    why: "x",
  });
  expect(answer.status).toBe(409);
});

const KEY = "sk-live-4f9a8b7c6d5e4f3a2b1c";

test("shows no secret that a model wrote into a refused repair or its reason, on any route", async () => {
  const system = await openSurgeonAndConsole();
  const { console, endpoint, startSurgeon, untilCase } = system;
  startSurgeon();
  endpoint.answer = () => ({
    ...repairWith({ order_id: "A-1234", seats: 2, account: KEY }),
    reason: `The key ${KEY} opens it; the password: hunter2hunter2.`,
  });
  const { runId } = await system.submit({ order_id: "A-1234", seats: "many" });
  const { case_id } = await untilCase(runId, ({ status }) => status === "quarantined");
  const path = `/v1/ward/cases/${case_id}`;
  const text = await (await console.send(path)).text();
  // The view's own form.
  const { repair } = JSON.parse(text) as CaseView;
  expect(repair).toMatchObject({ outcome: "objected", value: { account: "[secret]" } });
  expect(repair?.said).toContain("[secret]");
  expect(text).not.toMatch(/sk-live|hunter2/);
  for (const route of ["/v1/ward/cases", "/v1/ward/groups", "/v1/audit"])
    expect(await (await console.send(route)).text(), route).not.toMatch(/sk-live|hunter2/);
  // Nobody sends the mask in the secret's place by taking the proposal over somewhere else.
  const moved = { order_id: "A-1234", seats: 2, account: "x [secret]" };
  expect(await (await console.post(`${path}/check`, { payload: moved })).json()).toMatchObject({
    acceptable: false,
    issues: [{ path: "/account", code: "masked_secret" }],
  });
});

test("masks a secret in a message, and lets an edit go on with it where its mask was left", async () => {
  const console = await startTestConsole();
  await console.system.start();
  const { case_id, run_id } = await console.admit({ order_id: KEY, amount: 12.5, note: 7 });
  const path = `/v1/ward/cases/${case_id}`;
  // The view's own form.
  const seen = (await (await console.send(path)).json()) as CaseView;
  expect(seen.original?.text).toBe('{"order_id":"[secret]","amount":12.5,"note":7}');
  const payload_text = '{"order_id":"[secret]","amount":12.5,"note":"a lamp"}';
  const checked = await console.post(`${path}/check`, { payload_text });
  const answer = await checked.text();
  expect(JSON.parse(answer)).toMatchObject({ acceptable: true, issues: [] });
  expect(answer).not.toContain(KEY);
  expect((await console.post(`${path}/release`, { payload_text, why: "asked" })).status).toBe(202);
  startRealSurgeon(console);
  // The agent was given the value, not its mask.
  expect(await console.system.until(run_id)).toMatchObject({ status: "completed", result: { booked: KEY } });
});
