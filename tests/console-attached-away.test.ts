import { expect, test } from "vitest";
import { openAttachedOrders } from "../services/console/testing/open-attached-orders.ts";
import { startTestConsole } from "../services/console/testing/start-test-console.ts";
import { startOwnRedis } from "./support/redis-servers.ts";

const PATIENCE = { timeout: 60_000, interval: 50 };
const EDIT = { job: "1", version: "x", payload_text: "{}", why: "x" };

// Holds services/console/attached/attached-link.ts: a foreign Redis that is away is no fault of the console.
test("a console whose attached queue's Redis hangs starts, says so for that queue, and goes on when it is back", async () => {
  const own = await startOwnRedis();
  const orders = openAttachedOrders(own.url, 500);
  await orders.fail({ order: "o1", amount: "1", paid: true });
  own.hang();
  const console = await startTestConsole({}, [], undefined, orders.attached);
  const listed = async (): Promise<unknown> => (await console.send("/v1/attached")).json();
  const away = { queues: [{ counts: null, problem: expect.stringContaining("SUTURE_ATTACHED_REDIS_URL") }] };
  expect(await listed()).toMatchObject(away);
  const refused = await console.post("/v1/attached/orders/edit", EDIT);
  expect([refused.status, await refused.json()]).toMatchObject([503, { code: "attached_away" }]);
  expect((await console.send("/v1/queues")).status).toBe(200);
  own.goOn();
  const there = { queues: [{ problem: null, counts: { failed: 1 }, survey: { looked: 1 } }] };
  await expect.poll(listed, PATIENCE).toMatchObject(there);
  own.hang();
  // The groups that were read last stay.
  expect(await listed()).toMatchObject({ queues: [{ ...away.queues[0], survey: { looked: 1 } }] });
  own.goOn();
  await expect.poll(listed, PATIENCE).toMatchObject(there);
});
