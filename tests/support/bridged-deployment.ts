import { expect, onTestFinished } from "vitest";
import type { FirstDraft } from "#shared/envelope";
import { createModelClient } from "#shared/model";
import { createBridgedTeam } from "./bridged-team.ts";
import type { Doings } from "./bridged-team.ts";
import { startModelEndpoint } from "./model-endpoint.ts";
import { untilTrue } from "./redis-servers.ts";
import { openTwoClusters } from "./two-clusters.ts";
import type { TestCluster } from "./two-clusters.ts";

/** Two clusters with a Redis each: two of the four agents live in the far one. */
const REMOTE = ["abroad-appraise", "abroad-archive"];

export interface BridgedDeployment {
  readonly home: TestCluster;
  readonly far: TestCluster;
  readonly doings: Doings;
  readonly submit: (task: string, draft?: Partial<FirstDraft>) => Promise<string>;
}

export async function openBridgedDeployment(
  options: Partial<Parameters<typeof openTwoClusters>[1]> = {},
): Promise<BridgedDeployment> {
  const doings: Doings = { effects: [], pause: null };
  const team = createBridgedTeam(doings);
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
  await home.system.start({ only: ["abroad-intake", "abroad-report"] });
  await far.system.start({ only: REMOTE, keyring: far.keyring, model });
  return {
    ...clusters,
    doings,
    async submit(task, draft = {}) {
      const { runId } = await home.system.submit({ task, pad: "" }, { ttlMs: 60_000, ...draft });
      return runId;
    },
  };
}

/** Every run completed at home with its own result, each effect happened once, and nothing is left over anywhere. */
export async function checkAllDone(
  deployment: BridgedDeployment,
  runs: readonly { task: string; runId: string }[],
): Promise<void> {
  const { home, far, doings } = deployment;
  for (const { task, runId } of runs) {
    const run = await home.system.until(runId);
    expect(run).toMatchObject({ status: "completed", result: { task, grade: "a" } });
  }
  expect(doings.effects.toSorted()).toEqual(runs.map(({ task }) => task).toSorted());
  await untilTrue(async () => (await far.system.store.crossings.countReturns("home")) === 0);
  await untilTrue(async () => (await far.system.store.runs.counts()).completed === runs.length);
  expect(await home.system.store.runs.counts()).toMatchObject({
    submitted: runs.length,
    completed: runs.length,
    running: 0,
  });
  expect(await home.lost()).toEqual([]);
  expect(await far.lost()).toEqual([]);
}
