import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "#shared/config";
import type { ApiKey, Config } from "#shared/config";
import { Keyring } from "#shared/envelope/keys";
import { KeyFileMissingError, loadTeams, openKeyFile } from "#shared/runtime/process";
import type { KeyFile } from "#shared/runtime/process";
import { checkDataFormat, checkRedisIsFit, Store, storeSettings, waitUntilReady } from "#shared/store";
import { Metrics } from "#shared/telemetry";
import type { Logger } from "#shared/telemetry";
import { AttachedQueues } from "./attached/attached-queues.ts";
import { readTargets } from "./attached/attached-link.ts";
import { CONSOLE_BOUNDS_DEFAULT } from "./bounds.ts";
import type { ConsoleParts } from "./console.ts";
import { DECISION_KEY_REMEDY, RedisUnsetError } from "./errors.ts";

const READY_WITHIN_MS = 10_000;

/** Where the launcher leaves generated API keys and the token of a login link, below the data folder. */
const API_KEYS_FILE = join("keys", "api-keys");
const LOGIN_FILE = join("keys", "console-login");
const AUDIT_FILE = join("console", "audit-head.json");
const ORDERS_FILE = join("console", "orders.json");
const SESSIONS_FILE = join("console", "sessions.json");

/**
 * Opens everything a console process needs, as configured.
 *
 * @throws {RedisUnsetError | StoreUnavailableError | StoreUnfitError | TeamDefinitionError | AttachedUnusableError}
 */
export async function openConsole(
  config: Config,
  logger: Logger,
): Promise<ConsoleParts & { close(): Promise<void> }> {
  if (config.redisUrl === null) throw new RedisUnsetError();
  const store = new Store({
    ...storeSettings(config, config.redisUrl),
    role: "producer",
    onError: (error) => logger.debug({ err: error }, "redis"),
  });
  try {
    await waitUntilReady(store.redis, READY_WITHIN_MS);
    await checkRedisIsFit(store);
    await checkDataFormat(store);
    const attached = new AttachedQueues(await readTargets(config, logger));
    const keys = openKeys(config, logger);
    return {
      store,
      teams: await loadTeams(config.teamsDir),
      apiKeys: readApiKeys(config),
      people: config.people,
      keyring: keys.keyring,
      isRehearsal: config.isRehearsal,
      surgeryLimits: {
        cost_per_case: config.surgeonCostPerCase,
        cost_per_hour: config.surgeonCostPerHour,
        cost_per_group: config.surgeonCostPerGroup,
      },
      logger,
      metrics: new Metrics(),
      loginFile: join(config.dataDir, LOGIN_FILE),
      sessionsFile: join(config.dataDir, SESSIONS_FILE),
      auditFile: join(config.dataDir, AUDIT_FILE),
      ordersFile: join(config.dataDir, ORDERS_FILE),
      bounds: {
        ...CONSOLE_BOUNDS_DEFAULT,
        anonymousPerAddressMax: config.anonymousPerAddressMax,
        revealsPerHour: config.revealsPerHour,
      },
      attached,
      close: async () => {
        attached.close();
        keys.close();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** @throws {KeyringInvalidError} The file is no key file. */
function openKeys(config: Config, logger: Logger): KeyFile {
  const keys = findKeys(config, logger);
  if (!keys.keyring.canSign("console", "ward"))
    logger.error(
      { remedy: DECISION_KEY_REMEDY },
      "no key signs decisions: this console shows everything and takes no decision",
    );
  return keys;
}

function findKeys(config: Config, logger: Logger): KeyFile {
  try {
    return openKeyFile(config, "console", logger);
  } catch (error) {
    if (!(error instanceof KeyFileMissingError)) throw error;
    return { keyring: new Keyring([]), close: () => undefined };
  }
}

/** The configured keys, else those that were generated on this machine; none is a console for login links alone. */
function readApiKeys(config: Config): readonly ApiKey[] {
  if (config.apiKeys !== null) return config.apiKeys;
  const file = join(config.dataDir, API_KEYS_FILE);
  return existsSync(file) ? (loadConfig(undefined, { SUTURE_API_KEYS: `@${file}` }).apiKeys ?? []) : [];
}
