import { existsSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "#shared/config";
import type { ApiKey, Config } from "#shared/config";
import { loadTeams } from "#shared/runtime/process";
import { openStore } from "#shared/store";
import { Metrics } from "#shared/telemetry";
import type { Logger } from "#shared/telemetry";
import { AttachedQueues } from "./attached/attached-queues.ts";
import { readTargets } from "./attached/attached-link.ts";
import { CONSOLE_BOUNDS_DEFAULT } from "./console.ts";
import type { ConsoleParts } from "./console.ts";

/**
 * Opens everything a console process needs.
 * @throws {ConfigError | StoreUnavailableError | StoreUnfitError | TeamDefinitionError | AttachedUnusableError}
 */
export async function openConsole(
  config: Config,
  logger: Logger,
): Promise<ConsoleParts & { close(): Promise<void> }> {
  const attached = new AttachedQueues(await readTargets(config, logger));
  const teams = await loadTeams(config.teamsDir);
  const onError = (error: unknown): void => logger.debug({ err: error }, "redis");
  const store = await openStore(config, { role: "producer", onError });
  return {
    store,
    teams,
    apiKeys: readApiKeys(config),
    people: config.people,
    isRehearsal: config.isRehearsal,
    surgeryLimits: {
      cost_per_case: config.surgeonCostPerCase,
      cost_per_hour: config.surgeonCostPerHour,
      cost_per_group: config.surgeonCostPerGroup,
    },
    logger,
    metrics: new Metrics(),
    // Where the launcher leaves the token of a login link, and the API keys that it made.
    loginFile: join(config.dataDir, "keys", "console-login"),
    sessionsFile: join(config.dataDir, "console", "sessions.json"),
    bounds: {
      ...CONSOLE_BOUNDS_DEFAULT,
      anonymousPerAddressMax: config.anonymousPerAddressMax,
      revealsPerHour: config.revealsPerHour,
    },
    attached,
    close: async () => {
      attached.close();
      await store.close();
    },
  };
}

/** The configured keys, else those that were generated on this machine; none is a console for login links alone. */
function readApiKeys(config: Config): readonly ApiKey[] {
  if (config.apiKeys !== null) return config.apiKeys;
  const file = join(config.dataDir, "keys", "api-keys");
  return existsSync(file) ? (loadConfig(undefined, { SUTURE_API_KEYS: `@${file}` }).apiKeys ?? []) : [];
}
