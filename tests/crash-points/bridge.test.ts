import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { checkAllDone, openBridgedDeployment } from "../support/bridged-deployment.ts";
import { SECRET } from "../support/two-clusters.ts";
import type { TestCluster } from "../support/two-clusters.ts";
import { StruckProcess, WAIT_MS } from "./struck-process.ts";
import type { Strike } from "./struck-process.ts";
import { processEnv } from "../support/process-env.ts";

/** Windows W22 to W25: a bridge is struck between the yes of one cluster and what it does with it in the other. */

const TEST_MS = 4 * WAIT_MS;

/** Starts the bridge of one cluster as a process of its own. */
function spawnBridge(cluster: TestCluster, strike: Strike | null): StruckProcess {
  const folder = mkdtempSync(join(tmpdir(), "suture-crash-bridge-"));
  const keys = join(folder, "keys.json");
  writeFileSync(keys, cluster.keyring.exportJson(), { mode: 0o600 });
  const { config, redis, system } = cluster;
  const peers = config.peers.map((peer) => ({ ...peer, secrets: [SECRET] }));
  const bridge = new StruckProcess({
    command: ["services/bridge/main.ts"],
    strike,
    env: {
      ...processEnv(),
      REDIS_URL: redis.url,
      SUTURE_PREFIX: system.store.keys.prefix,
      SUTURE_TEAMS: "tests/crash-points/bridge-teams",
      SUTURE_KEYS: `@${keys}`,
      SUTURE_DATA_DIR: folder,
      SUTURE_BRIDGE_CLUSTER: config.cluster,
      SUTURE_BRIDGE_PEERS: JSON.stringify(peers),
      SUTURE_BRIDGE_PORT: String(config.port),
      SUTURE_BRIDGE_STATUS_PORT: "0",
      SUTURE_BRIDGE_REQUEST_MS: "1000",
      SUTURE_BRIDGE_RETRY_MS_MAX: "300",
      SUTURE_LOCK_MS: "1500",
      SUTURE_STALLED_INTERVAL_MS: "500",
      LOG_LEVEL: "silent",
    },
  });
  onTestFinished(async () => {
    await bridge.end();
    rmSync(folder, { recursive: true, force: true });
  });
  return bridge;
}

it.each([
  ["W23:after_note_before_send", "home"],
  ["W23:after_taken_before_outcome", "home"],
  ["W24:before_plant", "far"],
  ["W24:after_plant_before_reply", "far"],
  ["W25:after_told_before_forgotten", "far"],
  ["W25:after_apply_before_reply", "home"],
] as const)(
  "%s: the bridge of %s dies there, another one takes its place, and nothing is lost or doubled",
  async (point, which) => {
    const deployment = await openBridgedDeployment();
    const { home, far } = deployment;
    const struck = spawnBridge(which === "home" ? home : far, { point, action: "kill" });
    spawnBridge(which === "home" ? far : home, null);
    const runId = await deployment.submit("t-1", { ttlMs: WAIT_MS });
    await struck.untilStruck();
    // News that were told may be all there was to tell.
    const { messages } = await home.system.store.runs.get(runId);
    expect(messages.open).toBeGreaterThanOrEqual(point.startsWith("W25") ? 0 : 1);
    spawnBridge(which === "home" ? home : far, null);
    await checkAllDone(deployment, [{ task: "t-1", runId }]);
    const [run, guest] = await Promise.all([home, far].map(({ system }) => system.store.runs.get(runId)));
    expect(run).toMatchObject({ cost: guest?.cost, tokens: guest?.tokens });
  },
  TEST_MS,
);
