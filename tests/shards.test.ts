import { expect, it } from "vitest";
import { z } from "zod";
import { contract } from "#shared/contract";
import { agent, team } from "#shared/runtime";
import { Placement } from "#shared/store/shards";
import { auditRuns } from "#shared/store/upkeep";
import { openTestStore } from "#shared/testing";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import { startOwnRedis } from "./support/redis-servers.ts";

const Count = contract("shards.count@1", z.object({ n: z.int() }));
const RUNS = 24;

/** A gateway over several real Redis, and its agents: one hands on to the other, which refuses a negative number. */
async function openSharded(
  urls: readonly string[],
  more: Parameters<typeof startTestGateway>[0] = {},
  { scope = "agent", held = Promise.resolve() }: { scope?: "agent" | "run"; held?: Promise<void> } = {},
) {
  const paid: string[] = [];
  const last = agent("shards-last@1", {
    accepts: Count,
    handle: async ({ n }, ctx) => {
      if (n < 0) throw new Error("below zero");
      await held;
      const pay = async (): Promise<number> => {
        paid.push(String(n));
        return n;
      };
      await ctx.once(`pay-${n}`, pay, { scope });
      return ctx.complete({ n });
    },
  });
  const first = agent("shards-first@1", {
    to: { "shards-last": Count },
    accepts: Count,
    handle: ({ n }, ctx) => ctx.handoff("shards-last", { n }),
  });
  const sharded = team("sharded", [first, last]);
  const [url = ""] = urls;
  const gateway = await startTestGateway({ team: sharded, store: { url, shardUrls: urls }, ...more });
  const submit = (n: number, key?: string): Promise<Response> =>
    gateway.post(
      "/v1/tasks",
      { team: "sharded", input: { n } },
      key === undefined ? {} : { "idempotency-key": key },
    );
  return { gateway, submit, paid, store: gateway.system.store };
}

const idOf = async (response: Response): Promise<string> => {
  expect(response.status).toBe(202);
  return ((await response.json()) as { run_id: string }).run_id;
};

it("spreads runs over two Redis, and lists, counts and pays them as one", async () => {
  const [one, two] = [await startOwnRedis(), await startOwnRedis()];
  const { gateway, submit, paid, store } = await openSharded([one.url, two.url]);
  await gateway.system.start();
  // Two runs of each number: the side effect of the agent happens once, in whichever shards they are.
  const ids: string[] = [];
  for (let i = 0; i < RUNS; i += 1) ids.push(await idOf(await submit(i >> 1)));
  await Promise.all(ids.map((id) => gateway.system.until(id)));
  expect(new Set(ids.map((id) => id.slice(-2)))).toEqual(new Set(["00", "01"]));
  expect(paid.toSorted()).toEqual([...new Set(paid)].toSorted());
  expect(paid).toHaveLength(RUNS / 2);

  const seen: string[] = [];
  let next: string | null = "";
  while (next !== null) {
    const page = (await (
      await gateway.send(`/v1/runs?limit=5${next === "" ? "" : `&cursor=${next}`}`)
    ).json()) as { runs: { run_id: string }[]; next_cursor: string | null };
    seen.push(...page.runs.map(({ run_id }) => run_id));
    next = page.next_cursor;
  }
  expect(seen).toEqual(ids.toReversed());
  for (const shard of store.shards) expect((await shard.runs.counts()).completed).toBeGreaterThan(0);
  const { equation } = (await (await gateway.send("/v1/stats")).json()) as { equation: object };
  expect(equation).toMatchObject({ submitted: RUNS, completed: RUNS, waiting: 0, balanced: true });

  // A dead message of each shard is found, in its shard and in the list of both.
  const dead: string[] = [];
  while (new Set(dead.map((id) => id.slice(-2))).size < 2) dead.push(await idOf(await submit(-1)));
  await expect.poll(() => store.cases.sizeOf({ kind: "all" }), { timeout: 60_000 }).toBe(dead.length);
  const { cases } = await store.cases.list({ kind: "all" }, { limit: 100 });
  expect(new Set(cases.map(({ fields }) => fields["run_id"]))).toEqual(new Set(dead));
  const [group] = await store.cases.groups.list({ offset: 0, limit: 10 });
  expect(group).toMatchObject({ count: dead.length, open: dead.length });
});

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

it("goes on with the runs of one shard while the other is killed, and loses none of either", async () => {
  const [one, two] = [
    await startOwnRedis(["--appendonly", "yes"]),
    await startOwnRedis(["--appendonly", "yes"]),
  ];
  const { gateway, submit, paid, store } = await openSharded([one.url, two.url]);
  const ids: string[] = [];
  for (let n = 0; n < RUNS; n += 1) ids.push(await idOf(await submit(n)));
  await two.kill();
  await expect.poll(() => gateway.store.awake.length, { timeout: 30_000 }).toBe(1);
  // Agents that start now work for the shard that is there; what is listed and counted says that one is missing.
  await gateway.system.start();
  const stats = (await (await gateway.send("/v1/stats")).json()) as { equation: object };
  expect(stats.equation).toMatchObject({ shards_away: 1, balanced: true });
  // A case that is in no shard that answers may be in the other: that is no 404.
  await expect(gateway.store.cases.find(ids[0] ?? "")).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  const listed = (await (await gateway.send("/v1/runs?limit=100")).json()) as { runs: { run_id: string }[] };
  expect(listed.runs.map(({ run_id }) => run_id.slice(-2))).not.toContain("01");
  expect((await (await gateway.send("/readyz")).json()) as object).toMatchObject({ status: "degraded" });
  const more = await Promise.all([100, 101, 102, 103].map(async (n) => idOf(await submit(n))));
  expect(more.every((id) => id.endsWith("00"))).toBe(true);
  await Promise.all(more.map((id) => gateway.system.until(id)));
  await two.revive();
  await Promise.all([...ids, ...more].map((id) => gateway.system.until(id)));
  expect(paid).toHaveLength(RUNS + more.length);
  expect((await auditRuns(store, async () => false)).lost).toEqual([]);
});

it("goes on in the other shards while the first one, with what there is once, is killed", async () => {
  const [one, two] = [
    await startOwnRedis(["--appendonly", "yes", "--appendfsync", "always"]),
    await startOwnRedis(["--appendonly", "yes"]),
  ];
  const killed = Promise.withResolvers<void>();
  const { gateway, submit, paid, store } = await openSharded(
    [one.url, two.url],
    {},
    {
      scope: "run",
      held: killed.promise,
    },
  );
  const ids: string[] = [];
  for (let n = 0; n < RUNS; n += 1) ids.push(await idOf(await submit(n)));
  expect(new Set(ids.map((id) => id.slice(-2))).size).toBe(2);
  await gateway.system.start();
  await one.kill();
  killed.resolve();
  const other = ids.filter((id) => id.endsWith("01"));
  await Promise.all(other.map((id) => gateway.system.until(id)));
  // New runs need what there is once: keys and quotas.
  expect((await submit(100)).status).toBe(503);
  await one.revive();
  await Promise.all(ids.map((id) => gateway.system.until(id)));
  expect(paid).toHaveLength(RUNS);
  expect((await auditRuns(store, async () => false)).lost).toEqual([]);
});

it("places no run before it is known in how many shards runs are placed: no repeat would find its key", async () => {
  const full = await startOwnRedis(["--maxmemory", "1"]);
  const store = openTestStore({ url: full.url, shardUrls: [full.url, full.url] });
  const placement = new Placement(store);
  await placement.refresh();
  expect(placement.choose("00")).toEqual([]);
  await full.redis.config("SET", "maxmemory", "0");
  await placement.refresh();
  expect(placement.choose("01")).toEqual([store.shards[1]]);
});
