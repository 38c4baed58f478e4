import { describe, expect, it } from "vitest";
import type { CrashPointName } from "#shared/crash-points";
import { openCrashDeployment } from "./crash-deployment.ts";
import type { CrashDeployment } from "./crash-deployment.ts";
import survey from "./fan-out-teams/survey/team.ts";
import { WAIT_MS } from "./struck-process.ts";

/** Window W20 and others in a fan-out: coordinator, branch or join dies at the first, a middle or the last branch. */

const TEAMS = "tests/crash-points/fan-out-teams";
const TEST_MS = 4 * WAIT_MS;
const PEOPLE = 12;

interface Death {
  readonly who: "survey-plan" | "survey-ask" | "survey-merge";
  readonly point: CrashPointName;
  readonly nth: number;
  /** People who never answer. */
  readonly lame: number;
  readonly people: number;
}

const DEATHS: readonly Death[] = (
  [
    { who: "survey-plan", point: "W9:before_commit", nth: 1, lame: 0 },
    { who: "survey-plan", point: "W7:before_complete", nth: 1, lame: 0 },
    { who: "survey-ask", point: "W2:after_take_before_work", nth: 3, lame: 0 },
    { who: "survey-ask", point: "W9:before_commit", nth: 5, lame: 0 },
    { who: "survey-merge", point: "W20:after_collect_before_commit", nth: PEOPLE, lame: 0 },
    { who: "survey-merge", point: "W9:before_commit", nth: PEOPLE + 1, lame: 0 },
    { who: "survey-merge", point: "W2:after_take_before_work", nth: 1, lame: 5 },
    { who: "survey-plan", point: "W9:before_commit", nth: 1, lame: 0, people: 500 },
    { who: "survey-merge", point: "W20:after_collect_before_commit", nth: 250, lame: 0, people: 500 },
  ] as const
).map((death) => ({ people: PEOPLE, ...death }));

async function checkOnce(deployment: CrashDeployment, runId: string, people: number): Promise<void> {
  const messages = await deployment.system.store.runs.messages(runId);
  const sent = Object.groupBy(messages, ({ agent }) => agent);
  expect(sent["survey-ask"], "each is asked once").toHaveLength(people);
  expect(sent["survey-report"], "the join hands on once").toHaveLength(1);
  const events = await deployment.system.store.runs.events(runId, { from: 0, limit: 10_000 });
  const settled = events.filter(({ type }) => type === "handed_off" || type === "completed");
  // Branches that are started later are told by an event of their coordinator's.
  const outcomes = settled.filter(({ id }) => !/\/handed_off\/\d+$/.test(id));
  expect(outcomes, "one outcome for each message").toHaveLength(messages.length);
  await deployment.checkBooks({ completed: 1 });
}

describe("a process that dies over a fan-out", () => {
  it.each(DEATHS)(
    "$who of $people at $point, passing $nth",
    async ({ who, point, nth, lame, people }) => {
      const deployment = await openCrashDeployment(survey, TEAMS);
      const others = [...survey.agents.keys()].filter((name) => name !== who);
      const struck = deployment.spawn("agents", { strike: { point, action: "kill", nth }, args: [who] });
      deployment.spawn("agents", { args: others });
      const { runId } = await deployment.system.submit({ people, lame });
      await struck.untilStruck();
      deployment.spawn("agents", { args: [who] });
      const missing = Array.from({ length: lame }, (_, person) => person);
      expect(await deployment.untilEnd(runId)).toMatchObject({
        status: "completed",
        result: { answered: people - lame, missing },
      });
      await checkOnce(deployment, runId, people);
    },
    TEST_MS,
  );

  it(
    "W20:after_collect_before_commit, as a sleeper: wakes as a zombie, and changes nothing",
    async () => {
      const deployment = await openCrashDeployment(survey, TEAMS);
      const strike = { point: "W20:after_collect_before_commit", action: "pause", nth: 4 } as const;
      const zombie = deployment.spawn("agents", { strike, args: ["survey-merge"] });
      deployment.spawn("agents", { args: ["survey-plan", "survey-ask", "survey-report"] });
      const { runId } = await deployment.system.submit({ people: PEOPLE, lame: 0 });
      await zombie.untilStruck();
      deployment.spawn("agents", { args: ["survey-merge"] });
      const run = await deployment.untilEnd(runId);
      expect(run).toMatchObject({ status: "completed", result: { answered: PEOPLE, missing: [] } });
      zombie.wake();
      const other = await deployment.system.submit({ people: PEOPLE, lame: 0 });
      expect((await deployment.untilEnd(other.runId)).status).toBe("completed");
      expect(await deployment.system.store.runs.get(runId)).toEqual(run);
      await deployment.checkBooks({ completed: 2 });
    },
    TEST_MS,
  );
});
