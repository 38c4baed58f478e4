import { openArchive } from "#shared/archive";
import type { Config } from "#shared/config";
import type { Keyring } from "#shared/envelope/keys";
import { PRICES_DEFAULT, announceLacks, createModelClient, measureCalls, modelSettings } from "#shared/model";
import { edgesOf } from "#shared/runtime";
import type { Team } from "#shared/runtime";
import { loadTeams, openHealth, openKeyFile } from "#shared/runtime/process";
import { openStore, retryWhileRefused } from "#shared/store";
import { RecipeStore } from "#shared/store/cases";
import { Metrics } from "#shared/telemetry";
import type { Logger } from "#shared/telemetry";
import { measureSurgery, surgeryLimits } from "./surgery.ts";
import { loadRecipes } from "./recipes/load-recipes.ts";
import { startSurgeon } from "./start-surgeon.ts";
import type { RunningSurgeon } from "./start-surgeon.ts";

/**
 * Opens everything a surgeon's process needs, as configured, and starts it. Stopping it closes what it holds.
 *
 * @throws {ConfigError | StoreUnfitError | KeyFileMissingError | KeyringInvalidError | TeamDefinitionError}
 */
export async function openSurgeon(config: Config, logger: Logger): Promise<RunningSurgeon> {
  const keys = openKeyFile(config, "surgeon", logger);
  const metrics = new Metrics();
  const store = await openStore(config, {
    role: "worker",
    onError: (error) => logger.warn({ err: error }, "Redis connection"),
  });
  const measured = { store, keyring: keys.keyring, logger, metrics: measureSurgery(metrics) };
  await retryWhileRefused(
    () => loadRecipes(new RecipeStore(store), config.teamsDir),
    (error) => logger.error({ err: error }, "Redis takes no writes: the surgeon waits to start"),
  );
  const teams = await loadTeams(config.teamsDir);
  const unverifiable = findUnverifiable(keys.keyring, teams);
  if (unverifiable.length > 0)
    logger.error(
      { edges: unverifiable.slice(0, 20) },
      "the surgeon cannot verify messages of these edges: issue its keys anew",
    );
  const onLack = announceLacks(logger, metrics);
  const archive = openArchive(config);
  const surgeon = startSurgeon({
    ...measured,
    archive,
    teams,
    model: measureCalls(createModelClient({ ...modelSettings(config), onLack }), metrics),
    prices: { ...PRICES_DEFAULT, ...config.modelPrices },
    limits: surgeryLimits(config),
  });
  const health = await openHealth({ config, store, metrics, logger, state: () => surgeon.state });
  return {
    get state() {
      return surgeon.state;
    },
    failed: surgeon.failed,
    async stop(graceMs) {
      keys.close();
      health.stopping();
      await surgeon.stop(graceMs);
      await Promise.all([store.close(), archive?.close()]);
      await health.close();
    },
  };
}

/** Returns the edges, as `from>to`, that the keyring cannot verify: their messages wait for a surgeon that can. */
export function findUnverifiable(keyring: Keyring, teams: readonly Team[]): string[] {
  return edgesOf(teams)
    .filter(({ from, to }) => !keyring.canVerify(from, to))
    .map(({ from, to }) => `${from}>${to}`);
}
