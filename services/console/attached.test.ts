import { expect, it } from "vitest";
import { openAttachedOrders } from "./testing/open-attached-orders.ts";
import type { AttachedOrders } from "./testing/open-attached-orders.ts";
import { startTestConsole } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";

const CARD = "4539578763621486";
const PASSWORD = "correct-horse-battery-9";
const SPOILT = { order: "o1", amount: "12", paid: true, card: CARD, password: PASSWORD };

interface Listed {
  readonly groups: readonly { fingerprint: string; count: number; cause: string[] }[];
  readonly is_cut: boolean;
}

interface Case {
  readonly case_id: string;
  readonly version: number;
}

interface Shown {
  readonly case: Case;
  readonly original: { readonly text: string };
  readonly actions: readonly string[];
  readonly audit: readonly { by: string; action: string }[];
}

async function start(): Promise<{ console: TestConsole; orders: AttachedOrders }> {
  const orders = openAttachedOrders();
  return { orders, console: await startTestConsole({}, [], undefined, orders.attached) };
}

/** Asks until a survey that is newer than the last change is complete. */
async function list(
  console: TestConsole,
  failed: number,
  key: "viewer" | "operator" = "operator",
): Promise<Listed> {
  let listed: Listed = { groups: [], is_cut: true };
  const survey = async (): Promise<boolean> => {
    // The console checks its answers against their declarations.
    listed = (await (await console.send("/v1/ward/groups?source=orders", { key })).json()) as Listed;
    return !listed.is_cut && listed.groups.reduce((sum, { count }) => sum + count, 0) === failed;
  };
  await expect.poll(survey, { interval: 50 }).toBe(true);
  return listed;
}

async function casesOf(console: TestConsole, group: string, more = ""): Promise<Case[]> {
  const answer = await console.send(`/v1/ward/cases?fingerprint=${group}${more}`, as);
  // As above.
  return ((await answer.json()) as { cases: Case[] }).cases;
}

const JOB = "/v1/ward/cases/bullmq:orders:1";

async function shownJob(console: TestConsole): Promise<Shown> {
  // As above.
  return (await (await console.send(JOB, as)).json()) as Shown;
}

const as = { key: "operator" } as const;
const VIEWER = { key: "viewer" } as const;

async function answerOf(response: Promise<Response>): Promise<{ status: number } & Record<string, unknown>> {
  const answer = await response;
  // Every answer here is a JSON object.
  return { ...((await answer.json()) as object), status: answer.status };
}

it("shows no data to viewers, no sensitive value or secret to operators, and writes no mask to a job", async () => {
  const { console, orders } = await start();
  await orders.fail(SPOILT, { order: "o4", amount: 4, paid: false, card: CARD });
  const seen = JSON.stringify(await list(console, 2, "viewer"));
  for (const hidden of [CARD, PASSWORD, '"o1"', '"1"']) expect(seen).not.toContain(hidden);
  const { groups } = await list(console, 2);
  const texts = await Promise.all(
    groups.map(async ({ fingerprint }) => JSON.stringify(await casesOf(console, fingerprint))),
  );
  const job = await shownJob(console);
  const all = texts.join() + JSON.stringify([groups, job]);
  for (const hidden of [CARD, PASSWORD]) expect(all).not.toContain(hidden);
  // JSON text of an object.
  const shown = JSON.parse(job.original.text) as Record<string, unknown>;
  const release = (data: object): ReturnType<typeof answerOf> => {
    const { version } = job.case;
    const body = { version, payload_text: JSON.stringify(data), accepts_effects: true, why: "it was text" };
    return answerOf(console.post(`${JOB}/release`, body, as));
  };
  const moved = await release({ ...shown, amount: 12, order: shown["card"] });
  expect(moved).toMatchObject({
    status: 422,
    errors: [{ pointer: "/payload/order", code: "masked_secret" }],
  });
  expect((await orders.queue.getJob("1"))?.data).toEqual(SPOILT);
  expect(await release({ ...shown, amount: 12 })).toMatchObject({ status: 202 });
  expect((await orders.queue.getJob("1"))?.data).toEqual({ ...SPOILT, amount: 12 });
});

it("checks, sends back and undoes a job, each in the people's audit and in the ward's", async () => {
  const { console, orders } = await start();
  await orders.fail(SPOILT);
  const job = await shownJob(console);
  expect(job).toMatchObject({
    actions: ["release", "operate"],
    repair: { procedure: "first_aid", diff: [{ path: "/amount", value: 12 }] },
    marks: [{ path: "/amount" }],
  });
  const payload = JSON.stringify({ order: "o1", amount: 12, paid: false });
  const body = { version: job.case.version, payload_text: payload, why: "as the customer says" };
  const bad = { payload_text: '{"order":1}' };
  expect(await answerOf(console.post(`${JOB}/check`, bad, as))).toMatchObject({ acceptable: false });
  const held = await answerOf(console.post(`${JOB}/release`, body, as));
  expect(held).toMatchObject({ status: 409, code: "attached_job_held" });
  expect(await orders.queue.getJobState("1")).toBe("failed");
  const accepted = { ...body, accepts_effects: true };
  const stale = await answerOf(console.post(`${JOB}/release`, { ...accepted, version: 1 }, as));
  expect(stale).toMatchObject({ status: 409, code: "changed_meanwhile" });
  const sent = await answerOf(console.post(`${JOB}/release`, accepted, as));
  expect([sent.status, await orders.queue.getJobState("1")]).toEqual([202, "waiting"]);
  await orders.work();
  const undone = console.post(`${JOB}/restore`, { why: "not so" }, as);
  expect((await undone).status).toBe(202);
  expect((await orders.queue.getJob("1"))?.data).toEqual(SPOILT);
  const twice = await answerOf(console.post(`${JOB}/restore`, { why: "not so" }, as));
  expect(twice).toMatchObject({ status: 409, code: "attached_job_held" });
  expect((await shownJob(console)).audit).toMatchObject([{ by: "olga", action: "undone" }, { by: "olga" }]);
  const people = JSON.stringify(await answerOf(console.send("/v1/audit/people", { key: "admin" })));
  for (const action of ["case.release", "case.restore", "as the customer says"])
    expect(people).toContain(action);
  expect(people).not.toContain(CARD);
});

it("works on a group as on any other: dry run, trial, the rest, what became of each, undo", async () => {
  const { console, orders } = await start();
  const paid = (order: string): object => ({ order, amount: "12", paid: true });
  await orders.fail(...["o1", "o2", "o3"].map(paid), { order: "o4", amount: "4", paid: false });
  const fingerprint = (await list(console, 4)).groups[0]?.fingerprint ?? "";
  const group = `/v1/ward/groups/${fingerprint}`;
  const plan = { decision: "operate", why: "texts", canary: 1, rate_per_second: 1000 };
  const discard = await answerOf(console.post(`${group}/apply`, { ...plan, decision: "discard" }, as));
  expect(discard).toMatchObject({ status: 409, code: "ward_batch_state" });
  const planned = await answerOf(console.post(`${group}/apply`, { ...plan, accepts_effects: true }, as));
  const first = { case_id: "bullmq:orders:1", changes: ["replace /amount"] };
  expect(planned).toMatchObject({ state: "planned", total: 4, would_pass: 4 });
  expect(planned).toMatchObject({ forecast: { likely_usd: 0, most_usd: 0 } });
  expect(planned).toMatchObject({ examples: expect.arrayContaining([first]) });
  expect(await orders.queue.getJobState("1")).toBe("failed");
  const work = `/v1/ward/applies/${String(planned["batch_id"])}`;
  for (const [state, decided] of [
    ["look", 1],
    ["done", 4],
  ] as const)
    expect(await answerOf(console.post(`${work}/start`, {}, as))).toMatchObject({
      state,
      decided,
      problem: null,
    });
  await orders.work();
  expect(await answerOf(console.send(work, as))).toMatchObject({ went_on: 3, died_again: 1, under_way: 0 });
  const cases = await answerOf(console.send(`${work}/cases`, as));
  expect(cases).toMatchObject({ total: 4 });
  const listed = console.send(`/v1/ward/applies?fingerprint=${fingerprint}`, { key: "viewer" });
  expect(JSON.stringify(await answerOf(listed))).not.toContain("examples");
  const undo = await answerOf(console.post(`${work}/undo`, { why: "all wrong" }, as));
  expect(undo).toMatchObject({ decision: "restore", state: "done", total: 4, decided: 1 });
  expect((await orders.queue.getJob("4"))?.data).toMatchObject({ amount: "4" });
});

it("lets viewers see groups and no more", async () => {
  const { console, orders } = await start();
  await orders.fail(SPOILT);
  // Operations for operators alone are refused on every row in guards.test.ts; these are for viewers too, of own cases.
  const check = await console.post("/v1/ward/cases/bullmq:orders:1/check", { payload_text: "{}" }, VIEWER);
  expect(check.status).toBe(403);
  for (const path of ["cases?fingerprint=bullmq:orders:x", "cases/bullmq:orders:1"])
    expect((await console.send(`/v1/ward/${path}`, VIEWER)).status).toBe(403);
  const { version } = (await shownJob(console)).case;
  const decision = { version, payload_text: "{}", why: "x", accepts_effects: true };
  const headers = { origin: "https://evil.example" };
  expect((await console.post(`${JOB}/release`, decision, { key: "operator", headers })).status).toBe(403);
  expect((await orders.queue.getJob("1"))?.data).toEqual(SPOILT);
});
