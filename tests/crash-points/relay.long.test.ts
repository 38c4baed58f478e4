import { expect, it } from "vitest";
import type { CrashPointName } from "#shared/crash-points";
import { auditRuns } from "#shared/store/upkeep";
import { findCases } from "#shared/ward";
import { WAIT_MS } from "./struck-process.ts";
import { AGENTS, openIsolatedDeployment } from "../isolated/deployment.ts";
import type { IsolatedDeployment } from "../isolated/deployment.ts";

const TEST_MS = 240_000;

/** One message for each agent, one outcome for each message, and nothing that waits or is lost. */
async function checkOnce({ system }: IsolatedDeployment, runId: string): Promise<void> {
  const { store } = system;
  const messages = await store.runs.messages(runId);
  expect(messages.map(({ agent }) => agent).toSorted()).toEqual([...AGENTS].toSorted());
  const events = await store.runs.events(runId, { from: 0, limit: 100 });
  const ends = events.filter(({ type }) => type === "handed_off" || type === "completed");
  expect(ends, "one outcome for each message").toHaveLength(3);
  const outboxes = (): Promise<number[]> =>
    Promise.all(AGENTS.map((agent) => store.redis.hlen(store.keys.outbox(agent))));
  await expect.poll(outboxes, { timeout: WAIT_MS }).toEqual([0, 0, 0]);
  const hasCase = async (messageId: string): Promise<boolean> =>
    (await findCases(store, { filter: {}, limit: 100 })).cases.some(
      ({ message_id }) => message_id === messageId,
    );
  expect((await auditRuns(store, hasCase)).lost).toEqual([]);
}

const RELAY_POINTS: readonly CrashPointName[] = [
  "W26:after_told_before_relayed",
  "W27:after_relayed_before_forgotten",
];

it.each(RELAY_POINTS.flatMap((point) => [1, 3].map((nth) => ({ point, nth }))))(
  "a relay that dies at $point, at its entry $nth: another one delivers the rest, once",
  async ({ point, nth }) => {
    const deployment = await openIsolatedDeployment();
    const struck = deployment.spawnRelay({ strike: { point, action: "kill", nth } });
    for (const agent of AGENTS) deployment.spawnAgent(agent);
    const runId = await deployment.submit({ id: "t-1" });
    await struck.untilStruck();
    deployment.spawnRelay();
    expect(await deployment.until(runId)).toMatchObject({ status: "completed", result: { boxes: 3 } });
    await checkOnce(deployment, runId);
  },
  TEST_MS,
);

it(
  "two relays at once, one of which sleeps between a run and its queue: everything is delivered once",
  async () => {
    const deployment = await openIsolatedDeployment();
    const point = "W26:after_told_before_relayed";
    const sleeper = deployment.spawnRelay({ strike: { point, action: "pause" } });
    for (const agent of AGENTS) deployment.spawnAgent(agent);
    const runs = await Promise.all(
      Array.from({ length: 10 }, (_, turn) => deployment.submit({ id: `t-${turn}` })),
    );
    await sleeper.untilStruck();
    deployment.spawnRelay();
    for (const runId of runs) expect((await deployment.until(runId)).status).toBe("completed");
    sleeper.wake();
    const last = await deployment.submit({ id: "last" });
    expect((await deployment.until(last)).status).toBe("completed");
    for (const runId of [...runs, last]) await checkOnce(deployment, runId);
  },
  TEST_MS,
);

const AGENT_POINTS: readonly CrashPointName[] = ["W9:before_commit", "W5:after_commit_before_send"];

it.each(AGENT_POINTS)(
  "an agent that dies at %s: its outcome is written once and delivered once",
  async (point) => {
    const deployment = await openIsolatedDeployment();
    deployment.spawnRelay();
    const struck = deployment.spawnAgent("crane", { strike: { point, action: "kill" } });
    deployment.spawnAgent("dock");
    deployment.spawnAgent("ledge");
    const runId = await deployment.submit({ id: "t-1" });
    await struck.untilStruck();
    deployment.spawnAgent("crane");
    expect(await deployment.until(runId)).toMatchObject({ status: "completed", result: { boxes: 3 } });
    await checkOnce(deployment, runId);
  },
  TEST_MS,
);
