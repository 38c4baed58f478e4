import { expect, it } from "vitest";
import { auditRuns } from "#shared/store/upkeep";
import { openIsolatedDeployment, setPaused, startAll } from "./deployment.ts";
import type { IsolatedDeployment } from "./deployment.ts";
// As processes of agents load it.
import harvest from "./fan-out-teams/harvest/team.ts";

const HARVEST = { team: harvest, folder: "tests/isolated/fan-out-teams" };

const plan = (id: string, more: object = {}): Readonly<Record<string, unknown>> => ({
  target_agent: "foreman",
  contract: "harvest.plan@1",
  data_payload: { id, picked: 8, packed: 4, window: 3, ...more },
});

const rows = (count: number): number[] => Array.from({ length: count }, (_, row) => row);

async function expectNothingOwed({ system, agents }: IsolatedDeployment): Promise<void> {
  const { store } = system;
  const owed = (): Promise<number[]> =>
    Promise.all(["runs", ...agents].map((slot) => store.redis.hlen(store.keys.outbox(slot))));
  await expect.poll(owed, { timeout: 60_000 }).toEqual([0, ...agents.map(() => 0)]);
  expect((await auditRuns(store, () => Promise.resolve(false))).lost).toEqual([]);
}

it("does fan-outs with agents that write their own slots alone, and meets no refusal", async () => {
  const deployment = await openIsolatedDeployment(HARVEST);
  await startAll(deployment, 2);
  const { send, until, gateway } = deployment;
  const runs = await Promise.all(rows(8).map((turn) => send(`p-${turn}`, plan(`p-${turn}`))));
  for (const run of runs)
    expect(await until(run)).toMatchObject({
      status: "completed",
      result: { rows: rows(12), missing: [] },
    });
  const none = await send("none", plan("none", { picked: 0, packed: 0 }));
  expect(await until(none)).toMatchObject({ status: "completed", result: { rows: [], missing: [] } });
  // Cancelled while branches wait to be started.
  await setPaused(deployment, "packer", true);
  const cancelled = await send("cancelled", plan("cancelled", { picked: 0, packed: 6 }));
  await until(cancelled, ["running"]);
  await gateway.send(`/v1/runs/${cancelled}/cancel`, { method: "POST" });
  await setPaused(deployment, "packer", false);
  expect((await until(cancelled)).status).toBe("cancelled");
  await expectNothingOwed(deployment);
  expect(await deployment.refusedByRedis()).toEqual([]);
}, 240_000);
