import { expect, it } from "vitest";
import { spawnAgents } from "./support/agent-process.ts";
import { untilTrue, startOwnRedis } from "./support/redis-servers.ts";
import { openOfficeDeployment } from "./support/office-deployment.ts";

/** Tells the process to set its clock two hours ahead, or back; told again it puts it right. */
const JUMPS = ["SIGUSR2", "SIGWINCH"] as const;

it("expires nothing when the clock of a worker's machine jumps by two hours, before anybody could notice", async () => {
  const own = await startOwnRedis();
  const { system, running, order, end } = await openOfficeDeployment({ url: own.url });
  await running.stop(1000);
  const child = spawnAgents({
    agents: ["inbox", "desk", "archive"],
    prefix: system.store.keys.prefix,
    keyring: system.keyring,
    modelUrl: "http://127.0.0.1:9/v1",
    sandboxUrl: "http://127.0.0.1:9",
    env: {
      REDIS_URL: own.url,
      SUTURE_TEAMS: "tests/support/office-team",
      NODE_OPTIONS: "--import=./tests/chaos/processes/obey-signals.ts",
      // The check that holds the work of such a machine never comes.
      SUTURE_CLOCK_CHECK_MS: "600000",
    },
  });
  await end(await order("before"));
  for (const signal of JUMPS) {
    child.kill(signal);
    const runs = await Promise.all(Array.from({ length: 20 }, (_, n) => order(`${signal}-${n}`)));
    for (const runId of runs) await end(runId);
    child.kill(signal);
  }
  await untilTrue(async () => (await system.store.runs.counts()).completed === 41);
  expect(await system.store.runs.counts()).toMatchObject({ submitted: 41, expired: 0 });
}, 120_000);
