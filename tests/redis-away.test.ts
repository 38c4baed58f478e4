import type { Redis } from "ioredis";
import { pino } from "pino";
import { expect, it, test } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem, startTestSystem } from "#shared/testing";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import officeTeam from "./support/office-team/office/team.ts";
import { startOwnRedis, untilTrue } from "./support/redis-servers.ts";
import { ordersTeam } from "../services/console/testing/orders-team.ts";
import { startTestConsole } from "../services/console/testing/start-test-console.ts";
import { openAttachedOrders } from "../services/console/testing/open-attached-orders.ts";
import { openOfficeDeployment } from "./support/office-deployment.ts";

const ORDER = { team: "office", input: { id: "one", seats: 3 } };
const ANSWER_MS = 400;
/** Room for a busy machine; without the bound, an answer takes 5 s. */
const QUICK_MS = 3000;

type Readiness = { status: string; parts: { part: string; state: string; detail: string }[] };

async function openGateway(parts: Parameters<typeof startTestGateway>[0] = {}) {
  const own = await startOwnRedis();
  const gateway = await startTestGateway({
    ...parts,
    store: { url: own.url, answerMs: ANSWER_MS },
    team: officeTeam,
  });
  const readiness = async (): Promise<{ code: number } & Readiness> => {
    const reply = await gateway.send("/readyz", { key: null });
    return { code: reply.status, ...((await reply.json()) as Readiness) };
  };
  return { own, gateway, readiness };
}

it("answers 503 quickly while Redis hangs, names it, and accepts the task once when it goes on", async () => {
  const { own, gateway, readiness } = await openGateway();
  expect((await gateway.post("/v1/tasks", ORDER)).status).toBe(202);
  own.hang();
  const startedMs = performance.now();
  const key = { "idempotency-key": "k" };
  const replies = await Promise.all([1, 2, 3].map(() => gateway.post("/v1/tasks", ORDER, key)));
  expect(performance.now() - startedMs).toBeLessThan(QUICK_MS);
  for (const reply of replies) {
    expect(reply.status).toBe(503);
    expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await reply.json()).toMatchObject({ detail: expect.stringContaining("same Idempotency-Key") });
  }
  const readMs = performance.now();
  expect((await gateway.send("/v1/runs")).status).toBe(503);
  expect(performance.now() - readMs).toBeLessThan(QUICK_MS);
  expect(await readiness()).toMatchObject({ code: 503, status: "store_unreachable" });
  own.goOn();
  await untilTrue(async () => (await gateway.post("/v1/tasks", ORDER, key)).status === 202);
  expect(await gateway.system.store.runs.counts()).toMatchObject({ submitted: 2 });
});

it("is not ready while no agent works for any team, and names a missing surgeon", async () => {
  const { gateway, readiness } = await openGateway({ parts: { isReadyWithoutAgents: false } });
  expect(await readiness()).toMatchObject({
    code: 503,
    status: "agents_missing",
    parts: expect.arrayContaining([
      expect.objectContaining({
        part: "team office",
        state: "failed",
        detail: expect.stringContaining("inbox"),
      }),
    ]),
  });
  await gateway.system.start();
  expect(await readiness()).toMatchObject({
    code: 200,
    status: "degraded",
    parts: expect.arrayContaining([expect.objectContaining({ part: "surgeon", state: "failed" })]),
  });
});

// Holds services/console/server.ts and shared/store/judge-store.ts: a store that is away is no fault of the console.
test("a console whose Redis hangs says that the store is away, and goes on when it is back", async () => {
  const own = await startOwnRedis();
  const system = createTestSystem(ordersTeam, { store: { url: own.url, answerMs: 1000 } });
  const console = await startTestConsole({}, [], system);
  own.hang();
  for (const path of ["/v1/queues", "/v1/ward/cases"]) {
    const answer = await console.send(path);
    expect({ status: answer.status, ...((await answer.json()) as object) }, path).toMatchObject({
      status: 503,
      code: "store_unavailable",
    });
  }
  own.goOn();
  await expect.poll(async () => (await console.send("/v1/queues")).status).toBe(200);
});

const PATIENCE = { timeout: 60_000, interval: 50 };
// Holds services/console/attached/attached-queues.ts: a foreign Redis that is away is no fault of the console.
test("a console whose attached queue's Redis hangs starts, says so for that queue, and goes on when it is back", async () => {
  const own = await startOwnRedis();
  const orders = openAttachedOrders(own.url, 500);
  await orders.fail({ order: "o1", amount: "1", paid: true });
  own.hang();
  const console = await startTestConsole({}, [], undefined, orders.attached);
  const send = async (path: string): Promise<unknown> => (await console.send(path)).json();
  const listed = (): Promise<unknown> => send("/v1/ward/sources");
  const groups = (): Promise<unknown> => send("/v1/ward/groups?source=orders");
  const away = { sources: [{ counts: null, problem: expect.stringContaining("SUTURE_ATTACHED_REDIS_URL") }] };
  expect(await listed()).toMatchObject(away);
  const refused = await console.post("/v1/ward/cases/bullmq:orders:1/release", { why: "x" });
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: "attached_away" }]);
  expect((await console.send("/v1/queues")).status).toBe(200);
  own.goOn();
  const there = { sources: [{ problem: null, counts: { failed: 1 } }] };
  await expect.poll(listed, PATIENCE).toMatchObject(there);
  await expect.poll(groups, PATIENCE).toMatchObject({ groups: [{ count: 1 }], is_cut: false });
  own.hang();
  expect(await listed()).toMatchObject(away);
  // The groups that were read last stay.
  expect(await groups()).toMatchObject({ groups: [{ count: 1 }] });
  own.goOn();
  await expect.poll(listed, PATIENCE).toMatchObject(there);
});

const refusals = async (redis: Redis): Promise<number> =>
  Number(/errorstat_OOM:count=(\d+)/.exec(await redis.info("errorstats"))?.[1] ?? 0);

const WATCHED_MS = 4000;

it("asks a Redis that is out of memory a bounded number of times, says so now and then, and works on when it has room", async () => {
  const own = await startOwnRedis();
  let lines = 0;
  const logger = pino({ level: "info" }, { write: () => void (lines += 1) });
  const { gateway, order, end } = await openOfficeDeployment({ url: own.url }, { logger });
  await end(await order("before"));
  const runs = await Promise.all(Array.from({ length: 20 }, (_, i) => order(`during-${i}`)));
  await own.redis.config("SET", "maxmemory", "1");
  const answer = await gateway.post("/v1/tasks", { team: "office", input: { id: "refused", seats: 3 } });
  expect(answer.status).toBe(503);
  const refused = (): Promise<number> => refusals(own.redis);
  await untilTrue(async () => (await refused()) > 10);
  lines = 0;
  const [before, beganMs] = [await refused(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, WATCHED_MS));
  const seconds = (performance.now() - beganMs) / 1000;
  const perSecond = ((await refused()) - before) / seconds;
  // Seven consumers, their relays, sweeps and announcements. Unbounded it is thousands.
  expect(perSecond).toBeLessThan(60);
  expect(perSecond).toBeGreaterThan(0);
  expect(lines / seconds).toBeLessThan(30);
  await own.redis.config("SET", "maxmemory", "0");
  for (const runId of runs) await end(runId);
  await end(await order("after", { broken: true }));
});

it("writes down an effect that happened as Redis filled up once it has room, though its lock is long gone", async () => {
  const own = await startOwnRedis();
  const Order = contract("effect.order@1", z.object({ id: z.string() }));
  let done = 0;
  let emptied: Promise<unknown> = Promise.resolve();
  const payer = agent("effect-payer@1", {
    accepts: Order,
    handle: async ({ id }, ctx) => {
      const paid = await ctx.once(`pay:${id}`, async () => {
        done += 1;
        await own.redis.config("SET", "maxmemory", "1");
        const before = await refusals(own.redis);
        // The record, renewals of the lock, and more: until the lock has run out, whatever it took.
        const key = system.store.keys.lock("effect-payer", ctx.envelope.meta.message_id);
        emptied = untilTrue(
          async () => (await refusals(own.redis)) > before && (await own.redis.exists(key)) === 0,
        ).then(() => own.redis.config("SET", "maxmemory", "0"));
        return "paid";
      });
      return ctx.complete({ paid });
    },
  });
  const system = await startTestSystem(
    team("effect", [payer]),
    { lockMs: 1000, stalledIntervalMs: 300 },
    { store: { url: own.url } },
  );
  expect(await system.run({ id: "o-1" })).toMatchObject({ status: "completed", result: { paid: "paid" } });
  await emptied;
  expect(done).toBe(1);
});
