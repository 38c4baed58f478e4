import { expect, it, onTestFinished } from "vitest";
import { createModelClient } from "#shared/model";
import type { FirstDraft } from "#shared/envelope";
import type { LinkMode } from "./chaos/tcp-proxy.ts";
import { createAbroadTeam } from "./support/abroad-team.ts";
import type { Doings } from "./support/abroad-team.ts";
import { startModelEndpoint } from "./support/model-endpoint.ts";
import { untilTrue } from "./support/redis-servers.ts";
import { openTwoClusters } from "./support/two-clusters.ts";
import type { TestCluster } from "./support/two-clusters.ts";

/** Two clusters with a Redis each: two of the four agents live in the far one. */
const REMOTE = ["abroad-appraise", "abroad-archive"];
const TEST_MS = 120_000;

interface Stage {
  readonly home: TestCluster;
  readonly far: TestCluster;
  readonly doings: Doings;
  submit(task: string, draft?: Partial<FirstDraft>): Promise<string>;
}

async function openStage(options: Partial<Parameters<typeof openTwoClusters>[1]> = {}): Promise<Stage> {
  const doings: Doings = { effects: [], pause: null };
  const team = createAbroadTeam(doings);
  const endpoint = await startModelEndpoint([team]);
  onTestFinished(() => endpoint.close());
  endpoint.behave = () => JSON.stringify({ grade: "a" });
  const model = createModelClient({
    baseUrl: endpoint.url,
    apiKey: "sk-test-0123456789abcdef",
    models: { router: "gpt-5-nano", worker: "gpt-5-mini", surgeon: "gpt-5" },
    timeoutMs: 10_000,
    isRehearsal: false,
  });
  const clusters = await openTwoClusters(team, { remote: REMOTE, ...options });
  const { home, far } = clusters;
  await home.world.start({ only: ["abroad-intake", "abroad-report"] });
  await far.world.start({ only: REMOTE, keyring: far.keyring, model });
  return {
    ...clusters,
    doings,
    async submit(task, draft = {}) {
      const { runId } = await home.world.submit({ task, pad: "" }, { ttlMs: 60_000, ...draft });
      return runId;
    },
  };
}

/** Every run completed at home with its own result, each effect happened once, and nothing is left over anywhere. */
async function checkAllDone(stage: Stage, runs: readonly { task: string; runId: string }[]): Promise<void> {
  const { home, far, doings } = stage;
  for (const { task, runId } of runs) {
    const run = await home.world.until(runId);
    expect(run).toMatchObject({ status: "completed", result: { task, grade: "a" } });
  }
  expect(doings.effects.toSorted()).toEqual(runs.map(({ task }) => task).toSorted());
  await untilTrue(async () => (await far.world.store.crossings.countReturns("home")) === 0);
  await untilTrue(async () => (await far.world.store.runs.counts()).completed === runs.length);
  expect(await home.world.store.runs.counts()).toMatchObject({
    submitted: runs.length,
    completed: runs.length,
    running: 0,
  });
  expect(await home.lost()).toEqual([]);
  expect(await far.lost()).toEqual([]);
}

it(
  "carries a message to the agent of another cluster and its outcome back, with cost, trace and record",
  async () => {
    const stage = await openStage();
    const { home, far, submit } = stage;
    await Promise.all([home.startBridge(), far.startBridge()]);
    const runId = await submit("t-1");
    await checkAllDone(stage, [{ task: "t-1", runId }]);
    const run = await home.world.store.runs.get(runId);
    const guest = await far.world.store.runs.get(runId);
    expect(run.cost).toBeGreaterThan(0);
    expect(run).toMatchObject({
      cost: guest.cost,
      tokens: guest.tokens,
      trace_id: guest.trace_id,
      team: guest.team,
    });
    const events = await home.world.store.runs.events(runId, { from: 0, limit: 100 });
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
    const messages = await home.world.store.runs.messages(runId);
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
    const stage = await openStage({ store: { handover } });
    const { home, far, submit } = stage;
    await Promise.all([home.startBridge(), far.startBridge()]);
    const names = Array.from({ length: 12 }, (_, n) => `t-${n}`);
    const runs = [{ task: "first", runId: await submit("first") }];
    await home.world.until(runs[0]?.runId ?? "");
    for (const link of [far.link, home.link]) {
      link.misbehave(mode);
      for (const task of names.splice(0, 6)) runs.push({ task, runId: await submit(task) });
      await untilTrue(() => Promise.resolve(link.harmed > 0));
      // Long enough that requests run into their time limit, whatever the mode.
      await new Promise((resolve) => setTimeout(resolve, 1500));
      link.mend();
    }
    await checkAllDone(stage, runs);
  },
  TEST_MS,
);

it.each(["home", "far"] as const)(
  "loses and doubles nothing where the Redis of %s dies at work and comes back",
  async (which) => {
    const stage = await openStage();
    const { home, far, submit } = stage;
    await Promise.all([home.startBridge(), far.startBridge()]);
    const runs: { task: string; runId: string }[] = [];
    for (let n = 0; n < 20; n += 1) runs.push({ task: `t-${n}`, runId: await submit(`t-${n}`) });
    await untilTrue(async () => (await far.world.store.runs.counts()).submitted > 3);
    const { redis } = which === "home" ? home : far;
    await redis.kill();
    await redis.revive();
    await checkAllDone(stage, runs);
  },
  TEST_MS,
);

it(
  "adds nothing when a message comes again, even when ledger, queue and record have long forgotten it",
  async () => {
    const stage = await openStage();
    const { home, far, submit, doings } = stage;
    await Promise.all([home.startBridge(), far.startBridge()]);
    const runId = await submit("t-1");
    await checkAllDone(stage, [{ task: "t-1", runId }]);
    const { store } = far.world;
    const [message] = (await store.runs.messages(runId)).filter(({ agent }) => agent === "abroad-appraise");
    const id = message?.message_id ?? "";
    const job = await home.world.store.redis.hget(
      home.world.store.keys.job("abroad-appraise", "abroad-appraise", id),
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
    const at = home.world.store;
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
