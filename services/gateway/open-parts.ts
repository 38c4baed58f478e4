import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { LocalBlobs } from "#shared/blobs";
import { randomHex, uuidv7 } from "#shared/clock";
import { loadConfig } from "#shared/config";
import type { ApiKey, Config } from "#shared/config";
import { Keyring } from "#shared/envelope/keys";
import { ApiKeys } from "#shared/http";
import { loadTeams, openKeyFile } from "#shared/runtime/process";
import {
  checkDataFormat,
  checkRedisIsFit,
  memoryShare,
  Store,
  storeSettings,
  waitUntilReady,
} from "#shared/store";
import { RunWatcher } from "#shared/store/runs";
import { Metrics } from "#shared/telemetry";
import type { Logger } from "#shared/telemetry";
import { wardIsFull } from "#shared/ward";
import { GATEWAY_BOUNDS_DEFAULT } from "./bounds.ts";
import { RedisUnsetError } from "./errors.ts";
import type { GatewayParts } from "./gateway.ts";

const READY_WITHIN_MS = 10_000;

const HOUR_MS = 3_600_000;

/**
 * Opens everything a gateway process needs. @throws {RedisUnsetError | StoreUnavailableError | StoreUnfitError}
 * @throws {TeamDefinitionError | KeyFileMissingError | KeyringInvalidError}
 */
export async function openParts(
  config: GatewayConfig,
  logger: Logger,
): Promise<GatewayParts & { close(): Promise<void> }> {
  if (config.redisUrl === null) throw new RedisUnsetError();
  const teams = await loadTeams(config.teamsDir);
  const keys = openKeyFile(config, "gateway", logger);
  const store = new Store({
    ...storeSettings(config, config.redisUrl),
    role: "producer",
    answerMs: config.redisAnswerMs,
    onError: (error) => logger.debug({ err: error }, "redis"),
  });
  const subscribers = store.shards.map((shard) => shard.connectAnother("worker"));
  const close = async (): Promise<void> => {
    keys.close();
    for (const subscriber of subscribers) subscriber.disconnect();
    await store.close();
  };
  try {
    await waitUntilReady(store.redis, READY_WITHIN_MS);
    await checkRedisIsFit(store);
    await checkDataFormat(store);
    if (!(await store.confirmation.hasReplicas()))
      logger.warn("fewer replicas are connected than SUTURE_REDIS_REPLICAS_MIN: no task will be confirmed");
  } catch (error) {
    await close();
    throw error;
  }
  const apiKeys = new ApiKeys(config.apiKeys, store.apiKeys);
  return {
    store,
    watcher: new RunWatcher(subscribers, store.keys),
    teams,
    keyring: keys.keyring,
    apiKeys: config.apiKeys,
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
    queueLimit: config.queueLimit,
    tenantShare: config.tenantShare,
    bounds: {
      ...GATEWAY_BOUNDS_DEFAULT,
      connectionsMax: config.gatewayConnectionsMax,
      anonymousPerAddressMax: config.anonymousPerAddressMax,
      bodyBytesMax: config.bodyBytesMax,
    },
    agentProtocolTeam: config.agentProtocolTeam,
    publicUrl: config.gatewayPublicUrl,
    grpcPort: config.a2aGrpcPort,
    a2aKeys: await readKeys(config.a2aKeysFile),
    pushHosts: new Set(config.pushHosts),
    userModels: config.userModels,
    isReadyWithoutAgents: config.isReadyWithoutAgents,
    close,
  };
}

async function readKeys(file: string | null): Promise<Keyring | null> {
  return file === null ? null : Keyring.fromJson(await readFile(file, "utf8"));
}

/** The configuration of a gateway: there are always keys. */
type GatewayConfig = Config & { readonly apiKeys: readonly ApiKey[] };

/** Where generated API keys are kept, below the data folder; in the form of `SUTURE_API_KEYS=@file`. */
const API_KEYS_FILE = join("keys", "api-keys");
const SECRET_BYTES = 24;

/** Completes the configuration with the data folder's API keys where none are configured. @throws {ConfigError} */
export async function loadGatewayConfig(config: Config): Promise<GatewayConfig> {
  if (config.apiKeys !== null) return { ...config, apiKeys: config.apiKeys };
  const file = join(config.dataDir, API_KEYS_FILE);
  await keepSecret(file, () => `local:admin:${randomHex(SECRET_BYTES)}\n`);
  const completed = loadConfig(undefined, { SUTURE_API_KEYS: `@${file}` });
  return { ...completed, apiKeys: completed.apiKeys ?? [] };
}

/**
 * Reads a secret of this machine, made at the first start: it appears whole and is never overwritten, so all read the
 * same. @param path - File, readable by its owner only. @param make - Gives the text of a new one.
 */
async function keepSecret(path: string, make: () => string): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${uuidv7()}`;
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw error;
  }
  try {
    await writeFile(temporary, make(), { mode: 0o600, flush: true });
    await link(temporary, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await rm(temporary, { force: true });
  }
  return readFile(path, "utf8");
}

/** The system's own code, not a message. */
function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
