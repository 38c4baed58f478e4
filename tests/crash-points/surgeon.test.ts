import { expect, it } from "vitest";
import chain from "../chaos/teams/chain/team.ts";
import { openCrashStage } from "./crash-stage.ts";
import type { CrashStage } from "./crash-stage.ts";
import { WAIT_MS } from "./struck-process.ts";

/**
 * Window W12: the surgeon is struck between the case's verdict and the letter on its way. Window W15: it is struck
 * while it learns.
 */

const POINTS = ["W12:after_discharge_before_send", "W12:after_send_before_outbox_clear"] as const;

it.each(POINTS)(
  "%s: a surgeon that dies there has healed the letter once",
  async (point) => {
    const stage = await openCrashStage(chain, "tests/chaos/teams");
    stage.spawn("agents");
    // Where one Redis holds everything, the letter leaves in the script of the verdict.
    const env = { SUTURE_REDIS_HANDOVER: "outbox" };
    const struck = stage.spawn("surgeon", { strike: { point, action: "kill" }, env });
    const { runId } = await stage.world.submit({ task: "t-1", amount: "12", note: "", mood: "calm" });
    await struck.untilStruck();
    stage.spawn("surgeon", { env });
    expect(await stage.untilEnd(runId)).toMatchObject({ status: "completed", result: { amount: 12 } });
    const { store } = stage.world;
    const messages = await store.runs.messages(runId);
    expect(messages.map(({ agent }) => agent).toSorted()).toEqual([
      "chaos-appraise",
      "chaos-intake",
      "chaos-intake",
      "chaos-report",
    ]);
    expect(stage.outside.effects).toHaveLength(1);
    expect(await store.cases.counts()).toMatchObject({ admitted: 0, in_surgery: 0, discharged: 1 });
    await stage.checkBooks({ completed: 1 });
  },
  4 * WAIT_MS,
);

const LEARNING = ["W15:after_recipe_before_trial", "W15:after_trial_before_discharge"] as const;

it.each(LEARNING)(
  "%s: a surgeon that dies there has asked once, learned once, and heals those that wait",
  async (point) => {
    const stage = await openCrashStage(chain, "tests/chaos/teams");
    const { behave } = stage.model;
    stage.model.behave = (request) => {
      if (request.schemaName !== "repair") return behave(request);
      const asked = request.body.messages.find(({ role }) => role === "user")?.content ?? "{}";
      // What the surgeon asks: the letter between two marks.
      const { letter } = JSON.parse(asked) as { letter: string };
      const { aufgabe, ...rest } = JSON.parse(letter.split("\n").slice(1, -1).join("\n"));
      const payload = JSON.stringify({ task: aufgabe, ...rest });
      return JSON.stringify({ verdict: "repaired", payload, reason: "German", recipe: null });
    };
    stage.spawn("agents");
    const { store } = stage.world;
    const tasks = ["task-4711", "task-4712", "task-4713", "task-4714", "task-4715"];
    const runs: string[] = [];
    for (const aufgabe of tasks) {
      const { runId } = await stage.world.submit({ aufgabe, amount: 12, note: "", mood: "calm" });
      runs.push(runId);
    }
    await expect.poll(async () => (await store.cases.counts()).admitted, { timeout: WAIT_MS }).toBe(5);
    const originals = await lettersOf(stage);
    const struck = stage.spawn("surgeon", { strike: { point, action: "kill" } });
    await struck.untilStruck();
    stage.spawn("surgeon");
    for (const runId of runs) expect((await stage.untilEnd(runId)).status).toBe("completed");
    expect(stage.model.seen.filter(({ schemaName }) => schemaName === "repair")).toHaveLength(1);
    expect(stage.outside.effects.map(({ task }) => task).toSorted()).toEqual(tasks);
    expect(await store.cases.recipes.list()).toMatchObject([
      {
        state: "trusted",
        failures: 0,
        healed: 4,
        recipe: { operations: [{ op: "rename", path: "/aufgabe" }] },
      },
    ]);
    expect(await lettersOf(stage)).toEqual(originals);
    await stage.checkBooks({ completed: 5 });
  },
  4 * WAIT_MS,
);

/** The signed admissions as they lie in the ward, by case. */
async function lettersOf({ world }: CrashStage): Promise<ReadonlyMap<string, string | undefined>> {
  const { cases } = await world.store.cases.list({ kind: "all" }, { limit: 50 });
  const stored = await Promise.all(cases.map(({ case_id }) => world.store.cases.get(case_id)));
  return new Map(stored.map(({ case_id, fields }) => [case_id, fields["letter:1"]]));
}
