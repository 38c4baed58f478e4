import { expect, it } from "vitest";
import { openAttachedOrders } from "./testing/open-attached-orders.ts";
import type { AttachedOrders } from "./testing/open-attached-orders.ts";
import { startTestConsole } from "./testing/start-test-console.ts";
import type { TestConsole } from "./testing/start-test-console.ts";

const CARD = "4539578763621486";
const PASSWORD = "correct-horse-battery-9";
const SPOILT = { order: "o1", amount: "12", paid: true, card: CARD, password: PASSWORD };

interface Listed {
  readonly counts: Readonly<Record<string, number>> | null;
  readonly problem: string | null;
  readonly survey: {
    readonly is_complete: boolean;
    readonly looked: number;
    readonly groups: readonly {
      id: string;
      count: number;
      faults: string[];
      error: string;
      examples: string[];
    }[];
  } | null;
  readonly apply: { state: string; report: { batch: string; matched: number; sent: number } | null } | null;
}

interface Case {
  readonly job: string;
  readonly version: string;
  readonly data: string;
  readonly seal: string;
}

async function start(): Promise<{ console: TestConsole; orders: AttachedOrders }> {
  const orders = openAttachedOrders();
  return { orders, console: await startTestConsole({}, [], undefined, orders.attached) };
}

async function queueOf(
  console: TestConsole,
  key: "viewer" | "operator" = "operator",
): Promise<Listed | undefined> {
  const answer = await console.send("/v1/attached", { key });
  // The console checks its answers against their declarations.
  return ((await answer.json()) as { queues: Listed[] }).queues[0];
}

/** Asks until a survey that is newer than the last change is complete. */
async function list(
  console: TestConsole,
  failed: number,
  key: "viewer" | "operator" = "operator",
): Promise<Listed> {
  let queue: Listed | undefined;
  await expect
    .poll(
      async () => {
        queue = await queueOf(console, key);
        return queue?.survey?.is_complete === true && queue.survey.looked === failed;
      },
      { interval: 50 },
    )
    .toBe(true);
  if (queue === undefined) throw new Error("no queue");
  return queue;
}

async function firstGroup(console: TestConsole, failed: number): Promise<string> {
  return (await list(console, failed)).survey?.groups[0]?.id ?? "";
}

async function casesOf(
  console: TestConsole,
  group: string,
  more = "",
): Promise<{ cases: Case[]; next: string | null }> {
  const answer = await console.send(`/v1/attached/orders/cases?group=${group}${more}`, { key: "operator" });
  // As above.
  return (await answer.json()) as { cases: Case[]; next: string | null };
}

async function firstCase(console: TestConsole, failed = 1): Promise<Case> {
  const [one] = (await casesOf(console, await firstGroup(console, failed))).cases;
  if (one === undefined) throw new Error("no case");
  return one;
}

const as = { key: "operator" } as const;

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
  const { survey } = await list(console, 2);
  const texts = await Promise.all(
    (survey?.groups ?? []).map(async ({ id }) => JSON.stringify(await casesOf(console, id))),
  );
  for (const hidden of [CARD, PASSWORD]) expect(texts.join() + JSON.stringify(survey)).not.toContain(hidden);
  const groupId = survey?.groups.find(({ faults }) => faults.length > 0)?.id ?? "";
  const [one] = (await casesOf(console, groupId)).cases;
  if (one === undefined) throw new Error("no case");
  // JSON text of an object.
  const shown = JSON.parse(one.data) as Record<string, unknown>;
  const write = (data: object): ReturnType<typeof answerOf> =>
    answerOf(
      console.post(
        "/v1/attached/orders/edit",
        { job: one.job, version: one.version, payload_text: JSON.stringify(data), why: "it was text" },
        as,
      ),
    );
  const moved = await write({ ...shown, amount: 12, order: shown["card"] });
  expect(moved).toMatchObject({
    status: 422,
    errors: [{ pointer: "/payload_text/order", code: "masked_secret" }],
  });
  expect((await orders.queue.getJob("1"))?.data).toEqual(SPOILT);
  expect(await write({ ...shown, amount: 12 })).toMatchObject({ status: 200 });
  expect((await orders.queue.getJob("1"))?.data).toEqual({ ...SPOILT, amount: 12 });
});

it("edits, sends back and undoes a job, each in the people's audit and in the ward's", async () => {
  const { console, orders } = await start();
  await orders.fail(SPOILT);
  const one = await firstCase(console);
  const payload = JSON.stringify({ order: "o1", amount: 12, paid: false });
  const body = { job: one.job, version: one.version, payload_text: payload, why: "as the customer says" };
  const bad = { job: one.job, payload_text: '{"order":1}' };
  expect(await answerOf(console.post("/v1/attached/orders/check", bad, as))).toMatchObject({
    acceptable: false,
  });
  expect(await answerOf(console.post("/v1/attached/orders/edit", body, as))).toMatchObject({
    status: 200,
    parent: "none",
  });
  const stale = await answerOf(
    console.post("/v1/attached/orders/redrive", { ...body, accepts_effects: true }, as),
  );
  expect(stale).toMatchObject({ status: 409, code: "changed_meanwhile" });
  const again = { ...body, version: (await firstCase(console)).version };
  const held = await answerOf(console.post("/v1/attached/orders/redrive", again, as));
  expect(held).toMatchObject({ status: 409, code: "attached_job_held" });
  expect(await orders.queue.getJobState("1")).toBe("failed");
  const sent = await answerOf(
    console.post("/v1/attached/orders/redrive", { ...again, accepts_effects: true }, as),
  );
  expect([sent.status, await orders.queue.getJobState("1")]).toEqual([200, "waiting"]);
  await orders.work();
  const undone = console.post("/v1/attached/orders/undo", { job: "1", why: "not so" }, as);
  expect((await undone).status).toBe(200);
  expect((await orders.queue.getJob("1"))?.data).toEqual(SPOILT);
  const twice = await answerOf(console.post("/v1/attached/orders/undo", { job: "1", why: "not so" }, as));
  expect(twice).toMatchObject({ status: 409, code: "attached_job_held" });
  const own = await answerOf(console.send("/v1/attached/orders/audit", as));
  expect(own["audit"]).toMatchObject([
    { by: "olga", deed: "undone", job: "1" },
    { by: "olga", job: "1" },
    { by: "olga", job: "1" },
  ]);
  const people = JSON.stringify(await answerOf(console.send("/v1/audit/people", { key: "admin" })));
  for (const action of ["attached.edit", "attached.redrive", "attached.undo", "as the customer says"])
    expect(people).toContain(action);
  expect(people).not.toContain(CARD);
});

it("lets viewers look and no more, and other tenants and `submit` not even that", async () => {
  const { console, orders } = await start();
  await orders.fail(SPOILT);
  const one = await firstCase(console);
  const decision = {
    job: one.job,
    version: one.version,
    payload_text: "{}",
    why: "x",
    accepts_effects: true,
  };
  const posts = [
    ["edit", { job: "1", version: one.version, payload_text: "{}", why: "x" }],
    ["redrive", decision],
    ["check", { job: "1", payload_text: "{}" }],
    ["apply", { group: "x", repair: "none" }],
    ["stop", {}],
    ["undo", { job: "1", why: "x" }],
    ["undo-batch", { batch: "x", why: "x" }],
  ] as const;
  for (const [path, body] of posts)
    expect([
      path,
      (await console.post(`/v1/attached/orders/${path}`, body, { key: "viewer" })).status,
    ]).toEqual([path, 403]);
  for (const path of ["orders/cases?group=x", "orders/audit"])
    expect((await console.send(`/v1/attached/${path}`, { key: "viewer" })).status).toBe(403);
  expect((await console.send("/v1/attached", { key: "submit" })).status).toBe(403);
  const made = await console.post("/v1/api-keys", {
    name: "eve",
    tenant: "acme",
    scope: "viewer",
    why: "for a test",
  });
  const { secret } = (await made.json()) as { secret: string };
  const authorization = `Bearer ${secret}`;
  const foreign = await console.send("/v1/attached", { key: null, headers: { authorization } });
  expect([made.status, foreign.status]).toEqual([201, 403]);
  const elsewhere = await console.post("/v1/attached/orders/redrive", decision, {
    key: "operator",
    headers: { origin: "https://evil.example" },
  });
  expect(elsewhere.status).toBe(403);
  expect((await orders.queue.getJob("1"))?.data).toEqual(SPOILT);
});
