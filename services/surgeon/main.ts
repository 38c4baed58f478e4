import { readFileSync } from "node:fs";
import { join } from "node:path";
import { loadConfig } from "#shared/config";
import { armCrashPoint } from "#shared/crash-points";
import { Keyring } from "#shared/envelope";
import { createModelClient, PRICES_DEFAULT } from "#shared/model";
import { loadTeams } from "#shared/runtime";
import { checkRedisIsFit, retryWhileRefused, Store } from "#shared/store";
import { createLogger } from "#shared/telemetry";
import { admitCase } from "#shared/ward";
import { loadRecipes } from "./load-recipes.ts";
import { modelOptions, storeOptions, surgeryLimits } from "./options.ts";
import { startSurgeon } from "./start-surgeon.ts";

const config = loadConfig();
armCrashPoint(config.crashPoint);
const logger = createLogger({ service: "surgeon", level: config.logLevel });
const store = new Store({
  ...storeOptions(config),
  onError: (error) => logger.warn({ err: error }, "Redis connection"),
  admit: admitCase,
});
await checkRedisIsFit(store.redis);
await retryWhileRefused(
  () => loadRecipes(store, config.teamsDir),
  (error) => logger.error({ err: error }, "Redis takes no writes: the surgeon waits to start"),
);
const surgeon = startSurgeon({
  store,
  keyring: Keyring.fromJson(
    readFileSync(config.edgeKeysFile ?? join(config.dataDir, "keys", "surgeon.json"), "utf8"),
  ),
  teams: await loadTeams(config.teamsDir),
  model: createModelClient(modelOptions(config)),
  circuit: config.modelCircuit,
  prices: { ...PRICES_DEFAULT, ...config.modelPrices },
  logger,
  limits: surgeryLimits(config),
  notices: {
    receivers: config.webhooks,
    thresholds: {
      groupLettersPerHour: config.groupLettersPerHour,
      quarantineCasesMax: config.quarantineCasesMax,
    },
  },
  concurrency: config.surgeonConcurrency,
  lockMs: config.lockMs,
  stalledIntervalMs: config.stalledIntervalMs,
  guard: {
    silentMs: config.silentMs,
    restartsMax: config.silentRestartsMax,
    clockCheckMs: config.clockCheckMs,
  },
});
const stop = async (): Promise<void> => {
  await surgeon.stop(config.stopGraceMs);
  await store.close();
};
// What fetches nothing has nothing to finish: the supervisor starts a process that does.
surgeon.failed.catch((error: unknown) => {
  logger.fatal({ err: error }, "the process ends");
  process.exit(1);
});
process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());
