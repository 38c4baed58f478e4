import { ConfigError } from "#shared/config";
import type { Config } from "#shared/config";
import { TTL_MS_MAX } from "#shared/envelope/limits";
import { RUNTIME_LIMITS_DEFAULT } from "#shared/runtime";
import { loadTeams, openKeyFile } from "#shared/runtime/process";
import {
  checkDataFormat,
  checkRedisIsFit,
  memoryShare,
  Store,
  storeSettings,
  waitUntilReady,
} from "#shared/store";
import { Metrics } from "#shared/telemetry";
import type { Logger } from "#shared/telemetry";
import { wardIsFull } from "#shared/ward";
import type { BridgeParts } from "./bridge.ts";
import { recently } from "./recently.ts";
import { startBridge } from "./start-bridge.ts";
import type { RunningBridge } from "./start-bridge.ts";

const READY_WITHIN_MS = 30_000;
const HOUR_MS = 3_600_000;

/** Maximum age of a cached answer to whether Redis or the ward is full, in ms. */
const FULL_AGE_MS = 1000;

/** First delay between two retries of a message, in ms; the maximum is configured. */
const RETRY_MS = 1000;

/**
 * Opens everything a bridge process needs, as configured, and starts it.
 *
 * @throws {ConfigError | StoreUnavailableError | StoreUnfitError | TeamDefinitionError}
 * @throws {KeyFileMissingError | KeyringInvalidError}
 */
export async function openBridge(config: Config, logger: Logger): Promise<RunningBridge> {
  const { cluster } = config.bridge;
  if (cluster === null) throw missing("SUTURE_BRIDGE_CLUSTER", "eu");
  if (config.redisUrl === null) throw missing("REDIS_URL", "redis://127.0.0.1:6379");
  const keys = openKeyFile(config, "bridge", logger);
  const teams = await loadTeams(config.teamsDir);
  const store = new Store({
    ...storeSettings(config, config.redisUrl),
    role: "worker",
    onError: (error) => logger.debug({ err: error }, "redis"),
  });
  const parts: BridgeParts = {
    ...settings(config),
    config: { ...config.bridge, cluster },
    store,
    keyring: keys.keyring,
    teams,
    logger,
    metrics: new Metrics(),
    storeIsFull: recently(
      FULL_AGE_MS,
      async () => (await memoryShare(store.redis)) >= config.redisMemoryShare,
    ),
    wardIsFull: recently(FULL_AGE_MS, () => wardIsFull(store, config.wardLimit)),
  };
  try {
    await waitUntilReady(store.redis, READY_WITHIN_MS);
    await checkRedisIsFit(store.redis);
    await checkDataFormat(store);
    if (!(await store.confirmation.hasReplicas()))
      logger.warn("fewer replicas are connected than SUTURE_REDIS_REPLICAS_MIN: nothing will be taken");
    const bridge = await startBridge(parts);
    const stop = (graceMs: number): Promise<void> => {
      keys.close();
      return bridge.stop(graceMs).then(() => store.close());
    };
    return { ...bridge, stop };
  } catch (error) {
    keys.close();
    await store.close();
    throw error;
  }
}

function settings(config: Config) {
  const { lockMs, stalledIntervalMs, crashesMax, modelTimeoutMs } = config;
  const retry = {
    deliveriesMax: config.deliveriesMax,
    delayMs: Math.min(RETRY_MS, config.bridge.retryMsMax),
    delayMsMax: config.bridge.retryMsMax,
  };
  const guard = {
    silentMs: config.silentMs,
    restartsMax: config.silentRestartsMax,
    clockCheckMs: config.clockCheckMs,
  };
  return {
    limits: { ...RUNTIME_LIMITS_DEFAULT, retry, crashesMax, modelTimeoutMs },
    lockMs,
    stalledIntervalMs,
    guard,
    markLifeMs: Math.max(config.retentionHours * HOUR_MS, TTL_MS_MAX),
  };
}

function missing(variable: "SUTURE_BRIDGE_CLUSTER" | "REDIS_URL", example: string): ConfigError {
  return new ConfigError([{ variable, problem: "must be set for a bridge", example }]);
}
