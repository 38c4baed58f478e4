import { groupBatches } from "#shared/ward/decisions";
import { expect, it } from "vitest";
import { RecipeStore } from "#shared/store/cases";
import chain from "../chaos/teams/chain/team.ts";
import { openCrashDeployment } from "./crash-deployment.ts";
import type { CrashDeployment } from "./crash-deployment.ts";
import { WAIT_MS } from "./struck-process.ts";
import { startReceiver } from "#shared/testing";

/** The surgeon is struck at W15 (learns), W16 (asks), W17 (gives back), W18 (works on a group), W19 (tells people). */

/** Every step of an operation that has a model asked and teaches, and how often the model is asked at most. */
const STEPS = [
  { point: "W16:after_turn_before_claim", calls: 1 },
  { point: "W16:after_claim_before_question", calls: 1 },
  { point: "W16:after_reserve_before_question", calls: 1 },
  // The call in flight when the process died is the only one that may be repeated.
  { point: "W16:after_answer_before_kept", calls: 2 },
  { point: "W16:after_kept_before_verdict", calls: 1 },
  { point: "W15:after_trial_before_discharge", calls: 1 },
  { point: "W16:before_verdict", calls: 1 },
  { point: "W17:after_verdict_before_turn_end", calls: 1 },
  { point: "W17:after_turn_end_before_call", calls: 1 },
] as const;

it.each(STEPS)(
  "$point: a surgeon that dies there has asked once, learned once, and heals those that wait",
  async ({ point, calls }) => {
    const deployment = await openCrashDeployment(chain, "tests/chaos/teams");
    const { behave } = deployment.model;
    deployment.model.behave = (request) => {
      if (!/^(?:repair|second_reading)$/.test(request.schemaName)) return behave(request);
      const asked = request.body.messages.find(({ role }) => role === "user")?.content ?? "{}";
      // The surgeon asks with the message between two marks.
      const { message } = JSON.parse(asked) as { message: string };
      const { aufgabe, ...rest } = JSON.parse(message.split("\n").slice(1, -1).join("\n"));
      const payload = JSON.stringify({ task: aufgabe, ...rest });
      return JSON.stringify({ verdict: "repaired", payload, reason: "German", recipe: null });
    };
    deployment.spawn("agents");
    const { store } = deployment.system;
    const tasks = ["task-4711", "task-4712", "task-4713", "task-4714", "task-4715"];
    const runs = await submitEach(deployment, tasks);
    await expect.poll(async () => (await store.cases.counts()).admitted, { timeout: WAIT_MS }).toBe(5);
    const originals = await messagesOf(deployment);
    // All messages come from one producer.
    const env = { SUTURE_RECIPE_PRODUCERS: "1" };
    const struck = deployment.spawn("surgeon", { strike: { point, action: "kill" }, env });
    await struck.untilStruck();
    // A call whose surgeon lost its lock on a busy machine stays on the hour's account: this one keeps its own.
    deployment.spawn("surgeon", { env: { ...env, SUTURE_LOCK_MS: "30000" } });
    for (const runId of runs) expect((await deployment.untilEnd(runId)).status).toBe("completed");
    expect(deployment.model.seen.filter(({ schemaName }) => schemaName === "repair")).toHaveLength(calls);
    expect(deployment.outside.effects.map(({ task }) => task).toSorted()).toEqual(tasks);
    expect(await new RecipeStore(store).list()).toMatchObject([
      {
        state: "trusted",
        failures: 0,
        healed: 4,
        recipe: { operations: [{ op: "rename", path: "/aufgabe" }] },
      },
    ]);
    expect(await messagesOf(deployment)).toEqual(originals);
    await checkMoney(deployment, calls);
    await deployment.checkBooks({ completed: 5 });
  },
  4 * WAIT_MS,
);

/** Submits tasks in order, each with a German name of a member. @returns The ids of their runs. */
async function submitEach({ system }: CrashDeployment, tasks: readonly string[]): Promise<string[]> {
  const runs: string[] = [];
  for (const aufgabe of tasks)
    runs.push((await system.submit({ aufgabe, amount: 12, note: "", mood: "calm" })).runId);
  return runs;
}

/** Money set aside for a call that nobody heard of stays spent; nothing else does, and no limit is passed. */
async function checkMoney({ system }: CrashDeployment, calls: number): Promise<void> {
  const { store } = system;
  const { cases } = await store.cases.list({ kind: "all" }, { limit: 50 });
  const costs = cases.map(({ fields }) => Number(fields["cost_micro"] ?? 0));
  const sum = costs.reduce((all, one) => all + one, 0);
  // A call that was heard of and cost less than was set aside gets the rest back a moment later.
  await expect.poll(() => store.cases.costs.spentThisHour()).toBe(sum);
  const [group] = await store.cases.groups.list({ offset: 0, limit: 5 });
  expect(Math.round((group?.cost ?? 0) * 1e6)).toBe(sum);
  expect(Math.max(...costs)).toBeLessThanOrEqual(100_000);
  // One message alone has cost anything, and that was asked for.
  expect(costs.filter((micro) => micro > 0)).toHaveLength(calls > 0 ? 1 : 0);
}

it(
  "W18:after_decision_before_count: work on a whole group decides once about each case, and counts all",
  async () => {
    const deployment = await openCrashDeployment(chain, "tests/chaos/teams");
    const { behave } = deployment.model;
    const no = { verdict: "irreparable", payload: "", reason: "no", recipe: null };
    deployment.model.behave = (request) =>
      /^(?:repair|second_reading)$/.test(request.schemaName) ? JSON.stringify(no) : behave(request);
    deployment.spawn("agents");
    const { store } = deployment.system;
    const runs = await submitEach(
      deployment,
      [0, 1, 2, 3, 4, 5].map((n) => `task-${n}`),
    );
    const first = deployment.spawn("surgeon");
    const quarantined = async (): Promise<number> => (await store.cases.counts()).quarantined;
    await expect.poll(quarantined, { timeout: WAIT_MS }).toBe(6);
    await first.end();
    const originals = await messagesOf(deployment);
    const [group] = await store.cases.groups.list({ offset: 0, limit: 5 });
    const { batch_id } = await groupBatches(deployment.system.store).plan({
      fingerprint: group?.fingerprint ?? "",
      decision: "discard",
      by: "ada",
      why: "spam",
      canary: 2,
      rate_per_second: 100,
    });
    const struck = deployment.spawn("surgeon", {
      strike: { point: "W18:after_decision_before_count", action: "kill" },
    });
    const reach = (state: string): Promise<void> =>
      expect
        .poll(async () => (await groupBatches(store).find(batch_id))?.state, { timeout: WAIT_MS })
        .toBe(state);
    await reach("planned");
    await groupBatches(deployment.system.store).start(batch_id);
    await struck.untilStruck();
    deployment.spawn("surgeon");
    await reach("look");
    expect(await groupBatches(store).find(batch_id)).toMatchObject({ decided: 2, refused: 0 });
    await groupBatches(deployment.system.store).start(batch_id);
    await reach("done");
    expect(await groupBatches(store).find(batch_id)).toMatchObject({ total: 6, decided: 6, refused: 0 });
    for (const runId of runs) expect((await deployment.untilEnd(runId)).status).toBe("failed");
    for (const caseId of originals.keys()) {
      const audit = await store.cases.audit(caseId, 50);
      expect(audit.filter(({ action }) => action === "decide.discard")).toHaveLength(1);
    }
    expect(await messagesOf(deployment)).toEqual(originals);
  },
  4 * WAIT_MS,
);

it(
  "W19:after_notice_before_forgotten: people are told again of the same, under the same id",
  async () => {
    const { url, posts } = await startReceiver((text) => text);
    const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
    const env = { SUTURE_WEBHOOKS: JSON.stringify([{ url, secret }]) };
    const deployment = await openCrashDeployment(chain, "tests/chaos/teams");
    const { store } = deployment.system;
    deployment.spawn("agents");
    const point = "W19:after_notice_before_forgotten";
    const struck = deployment.spawn("surgeon", { strike: { point, action: "kill" }, env });
    const { runId } = await deployment.system.submit({ task: "t-1", amount: "12", note: "", mood: "calm" });
    await struck.untilStruck();
    // The lease that the dead one held is over.
    const [due = ""] = await store.redis.keys(store.keys.ward("notices:due:*"));
    const [id = ""] = await store.redis.zrange(due, "0", "0");
    await store.redis.zadd(due, 0, id);
    deployment.spawn("surgeon", { env });
    await expect.poll(() => posts.length, { timeout: WAIT_MS }).toBeGreaterThanOrEqual(2);
    await expect.poll(() => store.redis.zcard(due), { timeout: WAIT_MS }).toBe(0);
    const heard = posts.map(({ headers, body }) => ({ id: headers["webhook-id"], body }));
    expect(heard[1]).toEqual(heard[0]);
    expect((await deployment.untilEnd(runId)).status).toBe("completed");
  },
  4 * WAIT_MS,
);

/** The signed admissions as they lie in the ward, by case. */
async function messagesOf({ system }: CrashDeployment): Promise<ReadonlyMap<string, string | undefined>> {
  const { cases } = await system.store.cases.list({ kind: "all" }, { limit: 50 });
  const stored = await Promise.all(cases.map(({ case_id }) => system.store.cases.get(case_id)));
  return new Map(stored.map(({ case_id, fields }) => [case_id, fields["message:1"]]));
}
