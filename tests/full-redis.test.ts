import { pino } from "pino";
import { expect, it } from "vitest";
import { openOffice } from "./support/small-office.ts";
import { startOwnRedis, untilTrue } from "./support/redis-servers.ts";

const WATCHED_MS = 4000;

it("asks a Redis that is out of memory a bounded number of times, says so now and then, and works on when it has room", async () => {
  const own = await startOwnRedis();
  let lines = 0;
  const logger = pino({ level: "info" }, { write: () => void (lines += 1) });
  const { gateway, order, end } = await openOffice({ url: own.url }, { logger });
  await end(await order("before"));
  const runs = await Promise.all(Array.from({ length: 20 }, (_, i) => order(`during-${i}`)));
  await own.redis.config("SET", "maxmemory", "1");
  const answer = await gateway.post("/v1/tasks", { team: "office", input: { id: "refused", seats: 3 } });
  expect(answer.status).toBe(503);
  const refused = async (): Promise<number> =>
    Number(/errorstat_OOM:count=(\d+)/.exec(await own.redis.info("errorstats"))?.[1] ?? 0);
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
}, 60_000);
