import { openArchive } from "#shared/archive";
import type { Config } from "#shared/config";
import { checkArchive, checkRedis } from "#shared/doctor";
import type { Finding } from "#shared/doctor";
import { loadTeams } from "#shared/runtime/process";
import { openStore } from "#shared/store";
import { Metrics } from "#shared/telemetry";
import type { Logger } from "#shared/telemetry";
import { AttachedQueue } from "./attached/attached-queues.ts";
import { readTargets } from "./attached/read-targets.ts";
import { CONSOLE_BOUNDS_DEFAULT } from "./console.ts";
import type { ConsoleParts } from "./console.ts";
import { OpenIdProvider } from "./api/login/openid-provider.ts";

/**
 * Opens everything a console process needs.
 * @throws {ConfigError | StoreUnavailableError | StoreUnfitError | TeamDefinitionError}
 */
export async function openConsole(
  config: Config,
  logger: Logger,
): Promise<ConsoleParts & { close(): Promise<void> }> {
  const targets = await readTargets(config, logger);
  const attached = targets.map((target) => new AttachedQueue(target));
  const teams = await loadTeams(config.teamsDir);
  const onError = (error: unknown): void => logger.debug({ err: error }, "redis");
  const archive = openArchive(config);
  const store = await openStore(config, { role: "producer", archive: archive?.reader ?? null, onError });
  let running: Promise<Finding[]> | null = null;
  // One at a time, however many ask: each opens a connection.
  const findings = (): Promise<Finding[]> =>
    (running ??= Promise.all([
      checkRedis({ config, logins: [], askUnnamed: null, ownerUrl: null }),
      checkArchive(config),
    ])
      .then((found) => found.flat())
      .finally(() => (running = null)));
  return {
    store,
    teams,
    config,
    logger,
    metrics: new Metrics(),
    bounds: {
      ...CONSOLE_BOUNDS_DEFAULT,
      anonymousPerAddressMax: config.anonymousPerAddressMax,
      revealsPerHour: config.revealsPerHour,
    },
    archive,
    attached,
    openId: config.openId === null ? null : new OpenIdProvider(config.openId),
    examine: async () => ({
      findings: await findings(),
      limits: {
        SUTURE_QUEUE_LIMIT: config.queueLimit,
        SUTURE_WARD_LIMIT: config.wardLimit,
        SUTURE_TENANT_SHARE: config.tenantShare,
        SUTURE_TASK_LIFE_HOURS: config.taskLifeHours,
        SUTURE_DELIVERIES_MAX: config.deliveriesMax,
        SUTURE_RETENTION_HOURS: config.retentionHours,
        SUTURE_REDIS_MEMORY_SHARE: config.redisMemoryShare,
      },
    }),
    close: async () => {
      for (const queue of attached) queue.close();
      await Promise.all([store.close(), archive?.close()]);
    },
  };
}
