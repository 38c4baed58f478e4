import { expect, it } from "vitest";
import chain from "../chaos/teams/chain/team.ts";
import { openCrashStage } from "./crash-stage.ts";
import { WAIT_MS } from "./struck-process.ts";

/** Window W12: the surgeon is struck between the case's verdict and the letter on its way. */

const POINTS = ["W12:after_discharge_before_send", "W12:after_send_before_outbox_clear"] as const;

it.each(POINTS)(
  "%s: a surgeon that dies there has healed the letter once",
  async (point) => {
    const stage = await openCrashStage(chain, "tests/chaos/teams");
    stage.spawn("agents");
    const struck = stage.spawn("surgeon", { strike: { point, action: "kill" } });
    const { runId } = await stage.world.submit({ task: "t-1", amount: "12", note: "", mood: "calm" });
    await struck.untilStruck();
    stage.spawn("surgeon");
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
