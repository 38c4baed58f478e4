import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import { startOwnRedis } from "./support/redis-servers.ts";

const Count = contract("shards.count@1", z.object({ n: z.int() }));

/** A gateway over several real Redis, without agents at work. */
async function openSharded(urls: readonly string[], more: Parameters<typeof startTestGateway>[0] = {}) {
  const solo = agent("shards-solo@1", { accepts: Count, handle: ({ n }, ctx) => ctx.complete({ n }) });
  const [url = ""] = urls;
  const gateway = await startTestGateway({
    team: team("sharded", [solo]),
    store: { url, shardUrls: urls },
    ...more,
  });
  const submit = (n: number, key?: string): Promise<Response> =>
    gateway.post(
      "/v1/tasks",
      { team: "sharded", input: { n } },
      key === undefined ? {} : { "idempotency-key": key },
    );
  return { submit, store: gateway.system.store };
}

const idOf = async (response: Response): Promise<string> => {
  expect(response.status).toBe(202);
  return ((await response.json()) as { run_id: string }).run_id;
};

it("finds a repeated request after a shard was added while its run was open", async () => {
  const [one, two] = [await startOwnRedis(), await startOwnRedis()];
  const before = await openSharded([one.url]);
  const accepted = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => [`key-${n}`, await idOf(await before.submit(n, `key-${n}`))]),
  );
  const { prefix } = before.store.keys;
  const after = await openSharded([one.url, two.url], {
    store: { url: one.url, shardUrls: [one.url, two.url], prefix },
  });
  // New runs go to the second one only when every gateway has read of it.
  expect(await idOf(await after.submit(50))).toMatch(/00$/);
  await one.redis.hset(after.store.keys.registry("shards"), "2", Date.now() - 1000);
  await expect
    .poll(async () => (await idOf(await after.submit(60))).slice(-2), { timeout: 30_000 })
    .toBe("01");
  for (const [key = "", runId] of accepted)
    expect(await idOf(await after.submit(Number(key.slice(4)), key))).toBe(runId);
  // The gateway that knows one shard takes no more runs: it would not find what the other accepts.
  await expect.poll(async () => (await before.submit(70)).status, { timeout: 30_000 }).toBe(503);
});
