import { expect, test } from "vitest";
import { createTestSystem } from "#shared/testing";
import { ordersTeam } from "../services/console/testing/orders-team.ts";
import { startTestConsole } from "../services/console/testing/start-test-console.ts";
import { startOwnRedis } from "./support/redis-servers.ts";

// Holds services/console/server.ts and shared/store/reach-store.ts: a store that is away is no fault of the console.
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
