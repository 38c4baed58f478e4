import type { Config } from "#shared/config";
import { closeMcpServers } from "#shared/mcp";
import { announceLacks, createModelClient, measureCalls, modelSettings } from "#shared/model";
import { RUNTIME_LIMITS_DEFAULT } from "#shared/runtime";
import type { RuntimeLimits } from "#shared/runtime";
import { loadTeams, openHealth, openKeyFile, startAgents } from "#shared/runtime/process";
import { setCodeIsolation } from "#shared/sandbox";
import { checkRedisIsFit, Store, storeSettings } from "#shared/store";
import { Metrics } from "#shared/telemetry";
import type { Logger } from "#shared/telemetry";

/** Agents at work, with everything they hold. */
export interface OpenAgents {
  readonly agents: readonly string[];
  /** Rejects when the process should end, for a supervisor to start it anew. Never resolves. */
  readonly failed: Promise<never>;
  /** Ends the work in hand within the grace, then lets go of Redis and the model. */
  close(graceMs: number): Promise<void>;
}

/**
 * Opens everything a process of agents needs, as configured, and starts them.
 * @param only.agents - Names of agents; empty means all. @param only.team - Folder of the one team; null means all.
 * @throws {ConfigError | StoreUnavailableError | StoreUnfitError | KeyFileMissingError | KeyringInvalidError}
 * @throws {TeamDefinitionError | AgentDefinitionError}
 */
export async function openAgents(
  config: Config,
  { agents: only, team }: { readonly agents: readonly string[]; readonly team: string | null },
  logger: Logger,
): Promise<OpenAgents> {
  setCodeIsolation(config.codeIsolation);
  if (config.codeIsolation === "off")
    logger.warn(
      "SUTURE_CODE_ISOLATION=off: code and files that are not trusted have the rights of this process",
    );
  const keys = openKeyFile(config, "agents", logger);
  const teams = await loadTeams(config.teamsDir, config.variantsOf, team);
  const metrics = new Metrics();
  const onLack = announceLacks(logger, metrics);
  const model = measureCalls(createModelClient({ ...modelSettings(config), onLack }), metrics);
  const onError = (error: unknown): void => logger.debug({ err: error }, "redis");
  const store = new Store({ ...storeSettings(config), role: "worker", onError });
  const running = await checkRedisIsFit(store)
    .then(() =>
      startAgents({
        ...settings(config),
        teams,
        store,
        keyring: keys.keyring,
        model,
        logger,
        metrics,
        ...(only.length > 0 ? { only } : {}),
      }),
    )
    .catch(async (error: unknown) => {
      keys.close();
      await store.close();
      throw error;
    });
  if (!(await store.confirmation.hasReplicas()))
    logger.warn("fewer replicas are connected than SUTURE_REDIS_REPLICAS_MIN: nothing will be confirmed");
  const health = await openHealth({ config, store, metrics, logger, state: () => running.state });
  const { agents, failed } = running;
  return {
    agents,
    failed,
    async close(graceMs) {
      keys.close();
      health.stopping();
      await running.stop(graceMs);
      model.close();
      await closeMcpServers();
      await store.close();
      await health.close();
    },
  };
}

function settings(config: Config) {
  const { concurrency, lockMs, stalledIntervalMs, crashesMax, modelTimeoutMs, userModels } = config;
  const { capturesContent } = config;
  const retry = {
    deliveriesMax: config.deliveriesMax,
    delayMs: config.retryDelayMs,
    delayMsMax: config.retryDelayMsMax,
  };
  const limits: RuntimeLimits = { ...RUNTIME_LIMITS_DEFAULT, retry, crashesMax, modelTimeoutMs, userModels };
  const guard = {
    silentMs: config.silentMs,
    restartsMax: config.silentRestartsMax,
    clockCheckMs: config.clockCheckMs,
  };
  const circuit = config.modelCircuit;
  return { limits, circuit, capturesContent, concurrency, lockMs, stalledIntervalMs, guard };
}
