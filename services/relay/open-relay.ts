import { ConfigError } from "#shared/config";
import type { Config } from "#shared/config";
import { loadTeams, openHealth, openKeyFile } from "#shared/runtime/process";
import { checkDataFormat, checkRedisIsFit, Store, storeSettings, waitUntilReady } from "#shared/store";
import { Metrics } from "#shared/telemetry";
import type { Logger } from "#shared/telemetry";
import { measureRelay } from "./measure-relay.ts";
import { startRelay } from "./start-relay.ts";
import type { RunningRelay } from "./start-relay.ts";

const READY_WITHIN_MS = 30_000;

/**
 * Opens and starts a relay process from its configuration. `stop` closes everything.
 *
 * @throws {ConfigError
 * StoreUnavailableError
 * StoreUnfitError
 * KeyFileMissingError
 * KeyringInvalidError}
 * @throws {TeamDefinitionError
 * IsolationUnsupportedError}
 */
export async function openRelay(config: Config, logger: Logger): Promise<RunningRelay> {
  if (config.redisUrl === null) {
    const problem = "must be set for a relay";
    throw new ConfigError([{ variable: "REDIS_URL", problem, example: "redis://127.0.0.1:6379" }]);
  }
  const keys = openKeyFile(config, "relay", logger);
  const teams = await loadTeams(config.teamsDir);
  const metrics = new Metrics();
  const store = new Store({
    ...storeSettings(config, config.redisUrl),
    role: "worker",
    onError: (error) => logger.debug({ err: error }, "redis"),
  });
  try {
    await waitUntilReady(store.redis, READY_WITHIN_MS);
    await checkRedisIsFit(store.redis);
    await checkDataFormat(store);
    const costs = { costMax: config.relayCostMax, tokensMax: config.relayTokensMax };
    const relay = startRelay({
      store,
      keyring: keys.keyring,
      teams,
      costs,
      logger,
      metrics: measureRelay(metrics),
    });
    const health = await openHealth({ config, store, metrics, logger });
    return {
      agents: relay.agents,
      async stop() {
        keys.close();
        health.stopping();
        await relay.stop();
        await store.close();
        await health.close();
      },
    };
  } catch (error) {
    keys.close();
    await store.close();
    throw error;
  }
}
