import type { Redis } from "ioredis";
import { pino } from "pino";
import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { createTestSystem } from "#shared/testing";
import { openOfficeDeployment } from "./support/office-deployment.ts";
import { startOwnRedis, untilTrue } from "./support/redis-servers.ts";

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
}, 120_000);

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
  const system = createTestSystem(team("effect", [payer]), { store: { url: own.url } });
  await system.start({ lockMs: 1000, stalledIntervalMs: 300 });
  const { runId } = await system.submit({ id: "o-1" });
  expect(await system.until(runId)).toMatchObject({ status: "completed", result: { paid: "paid" } });
  await emptied;
  expect(done).toBe(1);
}, 120_000);
