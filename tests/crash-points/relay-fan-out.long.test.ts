import { expect, it } from "vitest";
import type { CrashPointName } from "#shared/crash-points";
import { auditRuns } from "#shared/store/upkeep";
import { openIsolatedDeployment } from "../isolated/deployment.ts";
// As processes of agents load it.
import harvest from "../isolated/fan-out-teams/harvest/team.ts";
import hurry from "../isolated/hurry-teams/hurry/team.ts";
import { WAIT_MS } from "./struck-process.ts";

const TEST_MS = 240_000;
const HARVEST = { team: harvest, folder: "tests/isolated/fan-out-teams" };
const ROWS = 6;

const DEATHS: readonly { readonly point: CrashPointName; readonly nth: number }[] = [
  { point: "W28:after_fan_out_before_branches", nth: 1 },
  { point: "W29:after_counted_before_told", nth: 1 },
  { point: "W29:after_counted_before_told", nth: ROWS },
  { point: "W10:before_send", nth: 1 },
  { point: "W26:after_told_before_relayed", nth: 4 },
  { point: "W27:after_relayed_before_forgotten", nth: 6 },
];

it.each(DEATHS)(
  "a relay that dies at $point, at its passing $nth of a fan-out: another one brings it together, once",
  async ({ point, nth }) => {
    const deployment = await openIsolatedDeployment(HARVEST);
    const struck = deployment.spawnRelay({ strike: { point, action: "kill", nth } });
    for (const agent of deployment.agents) deployment.spawnAgent(agent);
    const runId = await deployment.send("t-1", {
      target_agent: "foreman",
      contract: "harvest.plan@1",
      data_payload: { id: "t-1", picked: ROWS, packed: 0, window: 2 },
    });
    await struck.untilStruck();
    deployment.spawnRelay();
    const rows = Array.from({ length: ROWS }, (_, row) => row);
    expect(await deployment.until(runId)).toMatchObject({
      status: "completed",
      result: { rows, missing: [] },
    });
    const { store } = deployment.system;
    const at = (await store.runs.messages(runId)).map(({ agent }) => agent);
    // One message for the join beside one of each branch, and nobody was asked twice.
    const count = (name: string): number => at.filter((agent) => agent === name).length;
    expect([count("picker"), count("packer"), count("barn"), count("clerk")]).toEqual([ROWS, 3, ROWS + 1, 1]);
    const owed = (): Promise<number[]> =>
      Promise.all(["runs", ...deployment.agents].map((slot) => store.redis.hlen(store.keys.outbox(slot))));
    await expect.poll(owed, { timeout: WAIT_MS }).toEqual([0, ...deployment.agents.map(() => 0)]);
    expect((await auditRuns(store, () => Promise.resolve(false))).lost).toEqual([]);
  },
  TEST_MS,
);

it(
  "a relay that dies between a receiver and its run: the next one takes the handoff back, once",
  async () => {
    const deployment = await openIsolatedDeployment({ team: hurry, folder: "tests/isolated/hurry-teams" });
    const point = "W30:after_fenced_before_told";
    const struck = deployment.spawnRelay({ strike: { point, action: "kill" } });
    for (const agent of ["caller", "second"]) deployment.spawnAgent(agent);
    const data_payload = { id: "t-1", ms: 0 };
    const runId = await deployment.send("t-1", {
      target_agent: "caller",
      contract: "hurry.work@1",
      data_payload,
    });
    await struck.untilStruck();
    deployment.spawnRelay();
    expect(await deployment.until(runId)).toMatchObject({ status: "completed", result: { by: "second" } });
    const events = await deployment.system.store.runs.events(runId, { from: 0, limit: 100 });
    expect(events.filter(({ type }) => type === "rejected")).toHaveLength(1);
  },
  TEST_MS,
);
