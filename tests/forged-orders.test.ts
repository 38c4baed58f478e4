import { expect, test } from "vitest";
import { startTestConsole, waitFor } from "../services/console/testing/start-test-console.ts";
import type { TestConsole } from "../services/console/testing/start-test-console.ts";

const GOOD = { order_id: "A-1", amount: 12.5, note: "a lamp" };

/** What the agents look at once a second, and a little. */
const LOOKED_MS = 2500;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function openAtWork(): Promise<TestConsole> {
  const console = await startTestConsole();
  await console.system.start();
  return console;
}

/** The agent's queues, as whoever may write its keys reaches them. */
const queuesOf = ({ store }: TestConsole) => [
  store.queues.of("con-book", "fresh"),
  store.queues.of("con-book", "retry"),
];

const orderOf = ({ store }: TestConsole): Promise<string | null> =>
  store.redis.hget(store.keys.people("orders"), "pause:con-book");

async function putOrder({ store }: TestConsole, order: string): Promise<void> {
  await store.redis.hset(store.keys.people("orders"), "pause:con-book", order);
}

const untilPaused = (console: TestConsole): Promise<boolean> =>
  waitFor(async () => {
    const paused = await Promise.all(queuesOf(console).map((queue) => queue.isPaused()));
    return paused.every(Boolean);
  });

async function expectPausedAgain(console: TestConsole): Promise<void> {
  await untilPaused(console);
  const { runId } = await console.system.submit(GOOD);
  await sleep(LOOKED_MS);
  expect((await console.store.runs.get(runId)).status).toBe("queued");
}

test("pauses again what a person paused and somebody else resumed", async () => {
  const console = await openAtWork();
  expect((await console.post("/v1/queues/con-book/pause", { why: "a bad day" })).status).toBe(200);
  for (const queue of queuesOf(console)) await queue.resume();
  await expectPausedAgain(console);
  expect((await console.post("/v1/queues/con-book/resume", {})).status).toBe(200);
  const { runId } = await console.system.submit(GOOD);
  expect((await console.system.until(runId)).status).toBe("completed");
});

test("keeps paused what a person paused, whatever becomes of the order", async () => {
  const console = await openAtWork();
  await console.post("/v1/queues/con-book/pause", {});
  await console.post("/v1/queues/con-book/resume", {});
  const older = (await orderOf(console)) ?? "";
  await console.post("/v1/queues/con-book/pause", {});
  const genuine = (await orderOf(console)) ?? "";
  // Agents have seen it.
  await sleep(LOOKED_MS);
  const forged = JSON.stringify({ ...(JSON.parse(genuine) as object), is_paused: false });
  for (const order of [older, forged, "{"]) {
    await putOrder(console, order);
    for (const queue of queuesOf(console)) await queue.resume();
    await untilPaused(console);
  }
  await console.store.redis.del(console.store.keys.people("orders"));
  for (const queue of queuesOf(console)) await queue.resume();
  await expectPausedAgain(console);
}, 120_000);

test("resumes what was paused by nobody, or with an order that no person gave", async () => {
  const console = await openAtWork();
  await putOrder(
    console,
    JSON.stringify({ agent: "con-book", is_paused: true, by: "ada", at_ms: Date.now(), seal: {} }),
  );
  for (const queue of queuesOf(console)) await queue.pause();
  const { runId } = await console.system.submit(GOOD);
  expect((await console.system.until(runId)).status).toBe("completed");
});

test("takes an order about one agent for no other one", async () => {
  const console = await openAtWork();
  await console.post("/v1/queues/con-spare/pause", {});
  const other = await console.store.redis.hget(console.store.keys.people("orders"), "pause:con-spare");
  await putOrder(console, other ?? "");
  await sleep(LOOKED_MS);
  const { runId } = await console.system.submit(GOOD);
  expect((await console.system.until(runId)).status).toBe("completed");
});

/** A group of dead messages that wait for a person. */
async function openGroup(): Promise<{ console: TestConsole; fingerprint: string; key: string }> {
  const console = await startTestConsole();
  await console.system.start();
  await console.admit({ order_id: 7 });
  const group = await waitFor(
    async () => (await console.store.cases.groups.list({ offset: 0, limit: 1 }))[0],
  );
  const { fingerprint } = group;
  return { console, fingerprint, key: console.store.keys.ward(`group:${fingerprint}`) };
}

interface Shown {
  readonly lifecycle: string;
  readonly resolution: object | null;
  readonly attention: string;
}

async function show(console: TestConsole, fingerprint: string): Promise<Shown> {
  const one = (await (
    await console.send(`/v1/ward/groups/${encodeURIComponent(fingerprint)}`)
  ).json()) as Shown;
  const { groups } = (await (await console.send("/v1/ward/groups?sort=need")).json()) as {
    groups: (Shown & { fingerprint: string })[];
  };
  const listed = groups.find((group) => group.fingerprint === fingerprint);
  expect(listed).toMatchObject({ lifecycle: one.lifecycle, attention: one.attention });
  return one;
}

const OPEN = { lifecycle: "open", resolution: null };

test.each([
  { what: "acknowledged", fields: { lifecycle: "acknowledged", marked_ms: "9" } },
  {
    what: "resolved",
    fields: { lifecycle: "resolved", marked_ms: "9", resolved_by: "ada", resolved_ms: "9" },
  },
  {
    what: "acknowledged, with a signature that is none",
    fields: { lifecycle: "acknowledged", signed_mark: "{}" },
  },
])("shows no group as $what that nobody marked so", async ({ fields }) => {
  const { console, fingerprint, key } = await openGroup();
  await console.store.redis.hset(key, fields);
  expect(await show(console, fingerprint)).toMatchObject({
    ...OPEN,
    attention: expect.not.stringMatching("looked"),
  });
});

test("shows what a person said, and nothing that was made of their word", async () => {
  const { console, fingerprint, key } = await openGroup();
  const path = `/v1/ward/groups/${encodeURIComponent(fingerprint)}`;
  expect((await console.post(`${path}/acknowledge`, { why: "on it" })).status).toBe(200);
  expect(await show(console, fingerprint)).toMatchObject({ lifecycle: "acknowledged" });
  await console.store.redis.hset(key, { lifecycle: "resolved", resolved_by: "admin", resolved_ms: "9" });
  expect(await show(console, fingerprint)).toMatchObject(OPEN);
  await console.post(`${path}/resolve`, { why: "mended", since: "con-book@2" });
  const resolution = { since: { name: "con-book", version: 2 } };
  expect(await show(console, fingerprint)).toMatchObject({ lifecycle: "resolved", resolution });
  await console.store.redis.hset(key, { resolved_version: "9" });
  expect(await show(console, fingerprint)).toMatchObject(OPEN);
});

test("takes no mark of one group for another's", async () => {
  const { console, fingerprint, key } = await openGroup();
  await console.post(`/v1/ward/groups/${encodeURIComponent(fingerprint)}/acknowledge`, { why: "on it" });
  const signed = (await console.store.redis.hget(key, "signed_mark")) ?? "";
  expect(signed).not.toBe("");
  const other = fingerprint.replace(/.{4}$/, "ffff");
  const fields = await console.store.redis.hgetall(key);
  await console.store.redis.hset(console.store.keys.ward(`group:${other}`), {
    ...fields,
    signed_mark: signed,
  });
  const shown = (await (await console.send(`/v1/ward/groups/${encodeURIComponent(other)}`)).json()) as Shown;
  expect(shown).toMatchObject(OPEN);
});
