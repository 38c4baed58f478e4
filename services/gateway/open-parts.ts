import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openArchive } from "#shared/archive";
import { LocalBlobs } from "#shared/blobs";
import { ConfigError } from "#shared/config";
import type { Config } from "#shared/config";
import { Keyring } from "#shared/envelope/keys";
import { ApiKeys } from "#shared/http";
import { loadTeams, openKeyFile } from "#shared/runtime/process";
import { memoryShare, openStore } from "#shared/store";
import { RunWatcher } from "#shared/store/runs";
import { Metrics } from "#shared/telemetry";
import type { Logger } from "#shared/telemetry";
import { wardIsFull } from "#shared/ward";
import { GATEWAY_BOUNDS_DEFAULT } from "./bounds.ts";
import type { GatewayParts } from "./gateway.ts";

const HOUR_MS = 3_600_000;

/**
 * Opens everything a gateway process needs. @throws {ConfigError | StoreUnavailableError | StoreUnfitError}
 * @throws {TeamDefinitionError | KeyFileMissingError | KeyringInvalidError}
 */
export async function openParts(
  config: Config,
  logger: Logger,
): Promise<GatewayParts & { close(): Promise<void> }> {
  const configured = requireKeys(config);
  const teams = await loadTeams(config.teamsDir);
  const keys = openKeyFile(config, "gateway", logger);
  const onError = (error: unknown): void => logger.debug({ err: error }, "redis");
  const archive = openArchive(config);
  const opening = openStore(config, {
    role: "producer",
    answerMs: config.redisAnswerMs,
    archive: archive?.reader ?? null,
    onError,
  });
  const store = await opening.catch((error: unknown) => {
    keys.close();
    throw error;
  });
  const subscribers = store.shards.map((shard) => shard.connectAnother("worker"));
  const close = async (): Promise<void> => {
    keys.close();
    for (const subscriber of subscribers) subscriber.disconnect();
    await Promise.all([store.close(), archive?.close()]);
  };
  try {
    if (!(await store.confirmation.hasReplicas()))
      logger.warn("fewer replicas are connected than SUTURE_REDIS_REPLICAS_MIN: no task will be confirmed");
  } catch (error) {
    await close();
    throw error;
  }
  const apiKeys = new ApiKeys(configured, store.apiKeys);
  return {
    ...config,
    store,
    archive,
    watcher: new RunWatcher(subscribers, store.keys),
    teams,
    keyring: keys.keyring,
    apiKeys: configured,
    blobs: new LocalBlobs(join(config.dataDir, "blobs"), {
      bytesMax: config.blobsBytesMax,
      tenantShare: () => (apiKeys.isShared ? config.tenantShare : 1),
      ageMsMax: config.blobHours * HOUR_MS,
    }),
    logger,
    metrics: new Metrics(),
    wardIsFull: () => wardIsFull(store, config.wardLimit),
    storeIsFull: async () => {
      const shares = await Promise.all(store.awake.map(({ redis }) => memoryShare(redis)));
      return Math.max(0, ...shares) >= config.redisMemoryShare;
    },
    bounds: {
      ...GATEWAY_BOUNDS_DEFAULT,
      connectionsMax: config.gatewayConnectionsMax,
      anonymousPerAddressMax: config.anonymousPerAddressMax,
      bodyBytesMax: config.bodyBytesMax,
    },
    a2aKeys: await readKeys(config.a2aKeysFile),
    pushHosts: new Set(config.pushHosts),
    close,
  };
}

async function readKeys(file: string | null): Promise<Keyring | null> {
  return file === null ? null : Keyring.fromJson(await readFile(file, "utf8"));
}

function requireKeys({ apiKeys }: Config) {
  if (apiKeys !== null) return apiKeys;
  const example = "ada:submit:a-long-secret-of-your-own";
  throw new ConfigError([{ variable: "SUTURE_API_KEYS", problem: "must be set for a gateway", example }]);
}
