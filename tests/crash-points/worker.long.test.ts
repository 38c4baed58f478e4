import { describe, expect, it } from "vitest";
import type { CrashPointName } from "#shared/crash-points";
import chain from "../chaos/teams/chain/team.ts";
import { openCrashDeployment } from "./crash-deployment.ts";
import type { CrashDeployment } from "./crash-deployment.ts";
import { WAIT_MS } from "./struck-process.ts";
import desk from "./teams/desk/team.ts";

/** Windows W2 to W11 and W14: a worker is struck at a named point; what it was at is done once, and completely. */

const TEAMS = "tests/chaos/teams";
const TEST_MS = 4 * WAIT_MS;

const order = (task: string) => ({ task, amount: 12, note: "", mood: "calm" });

/** Points at which the process that holds the message dies. */
const DEADLY = [
  "W2:after_take_before_work",
  "W3:after_answer_before_record",
  "W4:after_effect_before_record",
  "W7:before_complete",
  "W8:after_complete",
  "W9:before_commit",
] as const satisfies readonly CrashPointName[];

async function checkOnce(deployment: CrashDeployment, run: { runId: string; task: string }): Promise<void> {
  const { redis, keys, runs } = deployment.system.store;
  expect(deployment.outside.effects.filter(({ task }) => task === run.task)).toHaveLength(1);
  const messages = await runs.messages(run.runId);
  // A call in flight when its process died, or when a busy machine kept it from its lock, is all that may be repeated.
  const asker = messages.find(({ agent }) => agent === "chaos-appraise")?.message_id ?? "";
  const losses = Number(await redis.hget(keys.job("chaos-appraise", asker), "stc"));
  const asked = deployment.model.seen.filter(({ body }) => JSON.stringify(body.messages).includes(run.task));
  expect(asked.length).toBeGreaterThanOrEqual(1);
  expect(asked.length).toBeLessThanOrEqual(1 + losses);
  expect(messages.map(({ agent }) => agent).toSorted()).toEqual([
    "chaos-appraise",
    "chaos-intake",
    "chaos-report",
  ]);
  const events = await runs.events(run.runId, { from: 0, limit: 100 });
  const ends = events.filter(({ type }) => type === "handed_off" || type === "completed");
  expect(ends, "one outcome for each message").toHaveLength(3);
}

describe("a worker that dies at a crash point", () => {
  it.each(DEADLY)(
    "%s",
    async (point) => {
      const deployment = await openCrashDeployment(chain, TEAMS);
      const struck = deployment.spawn("agents", { strike: { point, action: "kill" } });
      const { runId } = await deployment.system.submit(order("t-1"));
      await struck.untilStruck();
      deployment.spawn("agents");
      expect(await deployment.untilEnd(runId)).toMatchObject({ status: "completed", result: { grade: "a" } });
      await checkOnce(deployment, { runId, task: "t-1" });
      await deployment.checkBooks({ completed: 1 });
    },
    TEST_MS,
  );
});

/** Reads the first message's outcome in Redis and all that goes with it, up to the take of the next job. */
async function traces(
  { system }: CrashDeployment,
  runs: { readonly runId: string; readonly first: string; readonly next: string },
) {
  const { store } = system;
  const [book, events, inbox, ended, taken] = await Promise.all([
    store.redis.hexists(store.keys.ledger("chaos-intake", runs.first), "outcome"),
    store.runs.events(runs.runId, { from: 0, limit: 100 }),
    store.queues.of("chaos-appraise", "fresh").getJobCountByTypes("waiting", "active", "completed"),
    store.redis.hexists(store.keys.job("chaos-intake", runs.first), "finishedOn"),
    store.redis.hexists(store.keys.job("chaos-intake", runs.next), "processedOn"),
  ]);
  const told = events.filter(({ type }) => type === "handed_off").length;
  return { book, told, inbox, ended, taken };
}

describe("a worker that dies beside the script that writes all together", () => {
  it.each([
    { point: "W9:before_commit", left: { book: 0, told: 0, inbox: 0, ended: 0, taken: 0 } },
    { point: "W7:before_complete", left: { book: 1, told: 1, inbox: 1, ended: 1, taken: 1 } },
  ] as const)(
    "$point: leaves all of it or nothing, owes nobody anything, and loses not even what it took in passing",
    async ({ point, left }) => {
      const deployment = await openCrashDeployment(chain, TEAMS);
      const first = await deployment.system.submit(order("t-1"));
      const next = await deployment.system.submit(order("t-2"));
      const struck = deployment.spawn("agents", {
        strike: { point, action: "kill" },
        env: { SUTURE_CONCURRENCY: "1" },
        // Nobody else may take up what it hands on before it is looked at.
        args: ["chaos-intake"],
      });
      await struck.untilStruck();
      const [firstId, nextId] = [first, next].map(({ envelope }) => envelope.meta.message_id);
      const ids = { runId: first.runId, first: firstId ?? "", next: nextId ?? "" };
      expect(await traces(deployment, ids)).toEqual(left);
      deployment.spawn("agents");
      for (const [{ runId }, task] of [
        [first, "t-1"],
        [next, "t-2"],
      ] as const) {
        expect((await deployment.untilEnd(runId)).status).toBe("completed");
        await checkOnce(deployment, { runId, task });
      }
      await deployment.checkBooks({ completed: 2 });
    },
    TEST_MS,
  );
});

describe("a worker that sleeps at a crash point", () => {
  it(
    "W9:before_commit: wakes as a zombie, and changes nothing of what its successor did",
    async () => {
      const deployment = await openCrashDeployment(chain, TEAMS);
      const strike = { point: "W9:before_commit", action: "pause" } as const;
      const zombie = deployment.spawn("agents", { strike });
      const { runId } = await deployment.system.submit(order("t-1"));
      await zombie.untilStruck();
      const successor = deployment.spawn("agents");
      const run = await deployment.untilEnd(runId);
      await successor.end();
      zombie.wake();
      // Its slot is free again when it has done another message.
      const other = await deployment.system.submit(order("t-2"));
      expect((await deployment.untilEnd(other.runId)).status).toBe("completed");
      expect(await deployment.system.store.runs.get(runId)).toEqual(run);
      await checkOnce(deployment, { runId, task: "t-1" });
      await deployment.checkBooks({ completed: 2 });
    },
    TEST_MS,
  );
});

it(
  "W11:after_case_before_job_gone: a sweeper that dies leaves one case, and the next takes the job away",
  async () => {
    const deployment = await openCrashDeployment(chain, TEAMS);
    const { store } = deployment.system;
    const broken = await deployment.system.submit(order("t-1"));
    const key = store.keys.job("chaos-intake", broken.envelope.meta.message_id);
    // The rest of a torn write: the engine can neither parse it nor fail it.
    await store.redis.hset(key, "data", '{"sealed": "cut off', "ats", "60");
    const point = "W11:after_case_before_job_gone";
    const struck = deployment.spawn("agents", { strike: { point, action: "kill" } });
    await struck.untilStruck();
    expect(await store.redis.exists(key)).toBe(1);
    deployment.spawn("agents");
    await expect.poll(() => store.redis.exists(key), { timeout: WAIT_MS }).toBe(0);
    expect(await store.cases.counts()).toMatchObject({ admitted: 0, quarantined: 1 });
    const healthy = await deployment.system.submit(order("t-2"));
    expect((await deployment.untilEnd(healthy.runId)).status).toBe("completed");
    expect(deployment.outside.effects.map(({ task }) => task)).toEqual(["t-2"]);
  },
  TEST_MS,
);

it(
  "W14:after_lift: a worker of the new version dies over an old message, and the next lifts it again",
  async () => {
    const deployment = await openCrashDeployment(desk, "tests/crash-points/teams");
    const struck = deployment.spawn("agents", { strike: { point: "W14:after_lift", action: "kill" } });
    const { runId } = await deployment.system.submit(
      { order: "A-1", cents: 4250 },
      { to: "crash-desk@1", contract: "crash.refund@1" },
    );
    await struck.untilStruck();
    deployment.spawn("agents");
    expect(await deployment.untilEnd(runId)).toMatchObject({
      status: "completed",
      result: { order_id: "A-1", amount: 42.5 },
    });
    await deployment.checkBooks({ completed: 1 });
  },
  TEST_MS,
);
