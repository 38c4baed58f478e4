import { expect, it } from "vitest";
import type { LinkMode } from "./chaos/tcp-proxy.ts";
import { checkAllDone, openBridgedDeployment } from "./support/bridged-deployment.ts";
import { untilTrue } from "./support/redis-servers.ts";

const TEST_MS = 120_000;

it(
  "carries a message to the agent of another cluster and its outcome back, with cost, trace and record",
  async () => {
    const deployment = await openBridgedDeployment();
    const { home, far, submit } = deployment;
    await Promise.all([home.startBridge(), far.startBridge()]);
    const runId = await submit("t-1");
    await checkAllDone(deployment, [{ task: "t-1", runId }]);
    const run = await home.system.store.runs.get(runId);
    const guest = await far.system.store.runs.get(runId);
    expect(run.cost).toBeGreaterThan(0);
    expect(run).toMatchObject({
      cost: guest.cost,
      tokens: guest.tokens,
      trace_id: guest.trace_id,
      team: guest.team,
    });
    const events = await home.system.store.runs.events(runId, { from: 0, limit: 100 });
    expect(events.map(({ agent, type }) => `${agent}:${type}`)).toEqual(
      expect.arrayContaining([
        "abroad-appraise:carried",
        "abroad-appraise:arrived",
        "abroad-appraise:handed_off",
        "abroad-archive:handed_off",
        "abroad-report:arrived",
        "abroad-report:completed",
      ]),
    );
    const messages = await home.system.store.runs.messages(runId);
    expect(messages.map(({ agent, state }) => `${agent}:${state}`).toSorted()).toEqual([
      "abroad-appraise:closed",
      "abroad-archive:closed",
      "abroad-intake:closed",
      "abroad-report:closed",
    ]);
  },
  TEST_MS,
);

it.each([
  ["together", "refuse"],
  ["together", "delay"],
  ["together", "swallow_replies"],
  ["together", "swallow_requests"],
  ["together", "lose_reply"],
  ["outbox", "cut_after"],
  ["outbox", "swallow_replies"],
] as const)(
  "loses and doubles nothing where hands over is %s and both links %s for a while",
  async (handover, mode: LinkMode) => {
    const deployment = await openBridgedDeployment({ store: { handover } });
    const { home, far, submit } = deployment;
    await Promise.all([home.startBridge(), far.startBridge()]);
    const names = Array.from({ length: 28 }, (_, n) => `t-${n}`);
    const runs = [{ task: "first", runId: await submit("first") }];
    await home.system.until(runs[0]?.runId ?? "");
    for (const link of [far.link, home.link]) {
      link.misbehave(mode);
      for (const task of names.splice(0, 14)) runs.push({ task, runId: await submit(task) });
      await untilTrue(() => Promise.resolve(link.harmed > 0));
      // Long enough that requests run into their time limit, whatever the mode.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      link.mend();
    }
    await checkAllDone(deployment, runs);
  },
  TEST_MS,
);

it.each(["home", "far"] as const)(
  "loses and doubles nothing where the Redis of %s dies at work and comes back",
  async (which) => {
    const deployment = await openBridgedDeployment();
    const { home, far, submit } = deployment;
    await Promise.all([home.startBridge(), far.startBridge()]);
    const runs: { task: string; runId: string }[] = [];
    for (let n = 0; n < 20; n += 1) runs.push({ task: `t-${n}`, runId: await submit(`t-${n}`) });
    await untilTrue(async () => (await far.system.store.runs.counts()).submitted > 3);
    const { redis } = which === "home" ? home : far;
    await redis.kill();
    await redis.revive();
    await checkAllDone(deployment, runs);
  },
  TEST_MS,
);

it(
  "adds nothing when a message comes again, even when ledger, queue and record have long forgotten it",
  async () => {
    const deployment = await openBridgedDeployment();
    const { home, far, submit, doings } = deployment;
    await Promise.all([home.startBridge(), far.startBridge()]);
    const runId = await submit("t-1");
    await checkAllDone(deployment, [{ task: "t-1", runId }]);
    const { store } = far.system;
    const [message] = (await store.runs.messages(runId)).filter(({ agent }) => agent === "abroad-appraise");
    const id = message?.message_id ?? "";
    const job = await home.system.store.redis.hget(
      home.system.store.keys.job("abroad-appraise", "abroad-appraise", id),
      "data",
    );
    await store.redis.del(
      store.keys.ledger("abroad-appraise", id),
      store.keys.job("abroad-appraise", "abroad-appraise", id),
      store.keys.run(runId),
      `${store.keys.run(runId)}:messages`,
      `${store.keys.run(runId)}:log`,
    );
    // As if the home had lost the outcome that ended it there.
    const at = home.system.store;
    await at.redis.del(
      at.keys.ledger("abroad-appraise", id),
      at.keys.job("abroad-appraise", "abroad-appraise", id),
    );
    await at.queues.add({
      lane: "fresh",
      agent: "abroad-appraise",
      jobId: id,
      data: JSON.parse(job ?? "{}"),
      delayMs: 0,
      priority: "normal",
    });
    await untilTrue(
      async () => (await at.redis.hexists(at.keys.ledger("abroad-appraise", id), "outcome")) === 1,
    );
    expect(await store.runs.find(runId)).toBeNull();
    expect(await store.redis.exists(store.keys.job("abroad-appraise", "abroad-appraise", id))).toBe(0);
    expect(doings.effects).toHaveLength(1);
  },
  TEST_MS,
);
