import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { sleep } from "#shared/clock";
import { temporaryFolder } from "#shared/testing";
import { decide } from "#shared/ward/decisions";
import { SECRETS, startTestConsole } from "../services/console/testing/start-test-console.ts";
import { startTestGateway } from "../services/gateway/testing/start-test-gateway.ts";
import { BRISK, operateOn, untilWaiting } from "./support/operate-on.ts";
import { Provider } from "./support/payment-provider.ts";
import { startOwnRedis, untilTrue } from "./support/redis-servers.ts";
import { runCli } from "./support/run-cli.ts";

/** `npm run drill restore`: Redis comes back from a snapshot while the world outside has gone on. */

const DAY_MS = 86_400_000;

/** Tasks that pay, on a Redis that can be set back. @param asks - Agents ask the provider what they do not know. */
async function openShop({ asks }: { readonly asks: boolean }) {
  const provider = new Provider();
  const redis = await startOwnRedis();
  const gateway = await startTestGateway({ team: provider.team({ asks }), store: { url: redis.url } });
  const { system } = gateway;
  const console = await startTestConsole({}, [], system);
  const runs = new Map<string, string>();
  const submit = async (order: string, ttlMs: number): Promise<string> => {
    const body = { team: "shop", input: { order }, ttl_ms: ttlMs };
    const answer = await gateway.post("/v1/tasks", body, { "idempotency-key": order });
    expect(answer.status, await answer.clone().text()).toBe(202);
    return ((await answer.json()) as { run_id: string }).run_id;
  };
  return {
    provider,
    gateway,
    system,
    /** Runs by order, as the client has noted them. */
    runs,
    submit,
    async submitAll(names: readonly string[], ttlMs = DAY_MS): Promise<void> {
      await Promise.all(names.map(async (order) => runs.set(order, await submit(order, ttlMs))));
    },
    /** Takes a snapshot. @returns Its time, and what kills Redis and starts it from the snapshot. */
    async takeSnapshot() {
      await redis.redis.call("SAVE");
      const [live, kept] = [join(redis.dir, "dump.rdb"), join(temporaryFolder(), "dump.rdb")];
      copyFileSync(live, kept);
      const at = new Date().toISOString();
      const setBack = async (): Promise<void> => {
        await redis.kill();
        copyFileSync(kept, live);
        await redis.revive();
        await untilTrue(async () => (await gateway.store.redis.ping()) === "PONG");
      };
      return { at, setBack };
    },
    suture: async (...args: readonly string[]): Promise<string> => {
      const to = ["--console-url", console.url, "--key", SECRETS.operator];
      const { code, stdout, stderr } = await runCli(["restore", ...args, ...to]);
      if (code !== 0) throw new Error(stderr);
      return stdout;
    },
  };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

/** Begins a restore once the processes of the snapshot count as gone; nothing is then taken, in or out. */
async function beginHeld({ suture, gateway, system, provider }: Shop, at: string) {
  const begin = ["begin", "--snapshot-at", at, "--why", "the disk is gone"];
  await untilTrue(() =>
    suture(...begin).then(
      () => true,
      () => false,
    ),
  );
  const agents = await system.start();
  const paid = provider.payments.length;
  await sleep(1500);
  expect(provider.payments).toHaveLength(paid);
  const refused = await gateway.post("/v1/tasks", { team: "shop", input: { order: "now" } });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "15"]);
  return agents;
}

/** Every order is paid once, every run is at its end, and the equation is balanced. */
async function expectPaidOnce({ provider, system, runs, gateway }: Shop): Promise<void> {
  const all = [...runs.values()];
  for (const runId of all) expect(await system.until(runId)).toMatchObject({ status: "completed" });
  expect(provider.payments.map(({ order }) => order).toSorted()).toEqual([...runs.keys()].toSorted());
  const { equation } = (await (await gateway.send("/v1/stats")).json()) as { equation: object };
  expect(equation).toMatchObject({ submitted: all.length, completed: all.length, waiting: 0, lost: 0 });
}

const named = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${prefix}-${n}`);

describe("Redis comes back from a snapshot", () => {
  it("pays nothing twice that is listed, and starts lost tasks again under their ids", async () => {
    const shop = await openShop({ asks: false });
    await shop.submitAll(named("waiting", 300));
    const before = await shop.system.start({ concurrency: 4 });
    await untilTrue(async () => shop.provider.payments.length >= 50);
    const { at, setBack } = await shop.takeSnapshot();
    // Of these some are paid before Redis is lost, and some are not.
    await shop.submitAll(named("lost", 40));
    await untilTrue(async () => shop.provider.payments.length >= 315);
    await before.stop(2000);
    await setBack();
    const paidBefore = shop.provider.payments.length;
    await beginHeld(shop, at);
    const lost = [...shop.runs].filter(([order]) => order.startsWith("lost"));
    const isPaid = (order: string): boolean => shop.provider.payments.some((one) => one.order === order);
    const lostAndPaid = lost.filter(([order]) => isPaid(order)).length;
    expect([lostAndPaid > 0, lostAndPaid < lost.length]).toEqual([true, true]);
    const list = join(temporaryFolder(), "done.jsonl");
    const lines = [
      ...shop.provider.payments.map(({ key, receipt }) => ({ effect: key, value: receipt })),
      ...lost.map(([order, run_id]) => ({ task: order, by: "a", run_id })),
    ];
    writeFileSync(list, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    expect(await shop.suture("list", list)).toContain(`${lines.length} effects and tasks are listed`);
    await shop.suture("end", "--unlisted", "act", "--why", "the provider's list is complete");
    // Clients repeat all that they ever sent: the snapshot has some of it, and the rest starts again.
    await untilTrue(async () => (await shop.submit("waiting-0", DAY_MS)) === shop.runs.get("waiting-0"));
    for (const [order, runId] of shop.runs) expect(await shop.submit(order, DAY_MS)).toBe(runId);
    await expectPaidOnce(shop);
    process.stdout.write(
      `${JSON.stringify({ runs: shop.runs.size, lost: lost.length, lostAndPaid, paidBefore, payments: shop.provider.payments.length })}\n`,
    );
  });

  it("lets tasks outlive their expiry by the gap, and asks the provider about what is not listed", async () => {
    const shop = await openShop({ asks: true });
    await shop.submitAll(named("short", 100), 6000);
    const { at, setBack } = await shop.takeSnapshot();
    const before = await shop.system.start({ concurrency: 2 });
    await untilTrue(async () => shop.provider.payments.length >= 40);
    await before.stop(2000);
    await setBack();
    const paidBefore = shop.provider.payments.length;
    await sleep(6500);
    await beginHeld(shop, at);
    await shop.suture("end", "--why", "agents ask the provider");
    await expectPaidOnce(shop);
    expect(shop.provider.questions).toBeGreaterThanOrEqual(100);
    process.stdout.write(
      `${JSON.stringify({ runs: 100, paidBefore, questions: shop.provider.questions })}\n`,
    );
  });

  it("has a person decide about an effect that nobody can be asked about", async () => {
    const shop = await openShop({ asks: false });
    await shop.submitAll(["one"]);
    const { at, setBack } = await shop.takeSnapshot();
    await setBack();
    await beginHeld(shop, at);
    await shop.suture("end", "--why", "no list");
    operateOn(shop.system, BRISK);
    const runId = shop.runs.get("one") ?? "";
    const waiting = await untilWaiting(shop.system, runId);
    expect(shop.provider.payments).toEqual([]);
    // The person looks at the provider, says that it did not happen, and lets the message go on.
    const key = /idempotency key (\S+)\./.exec(JSON.stringify(waiting))?.[1] ?? "";
    const line = join(temporaryFolder(), "undone.jsonl");
    writeFileSync(line, `${JSON.stringify({ effect: key, done: false })}\n`);
    await shop.suture("list", line);
    await decide(shop.system.store, {
      case_id: waiting.case_id,
      decision: "release",
      by: "ada",
      why: "not paid",
    });
    expect(await shop.system.until(runId)).toMatchObject({ status: "completed" });
    expect(shop.provider.payments).toHaveLength(1);
    // A task of now is none of the snapshot's.
    await shop.submitAll(["two"]);
    expect(await shop.system.until(shop.runs.get("two") ?? "")).toMatchObject({ status: "completed" });
  });
});
