import type { Config, Secret } from "#shared/config";
import type { StoreOptions } from "./store.ts";

const HOUR_MS = 3_600_000;

/**
 * Returns the store options that all services derive from the configuration.
 *
 * @param redisUrl - Must be set.
 */
export function storeSettings(config: Config, redisUrl: Secret): Omit<StoreOptions, "role" | "onError"> {
  return {
    url: redisUrl.reveal(),
    shardUrls:
      config.redisUrls.length > 0
        ? config.redisUrls.map((url) => url.reveal())
        : Array.from({ length: config.shards }, () => redisUrl.reveal()),
    tls: config.redisTls,
    sentinelPassword: config.redisSentinelPassword,
    replication:
      config.redisDurability === "replicated"
        ? { replicasMin: config.redisReplicasMin, waitMs: config.redisWaitMs }
        : null,
    prefix: config.prefix,
    bounds: { finishedJobsMax: config.finishedJobsMax, peopleAuditLength: config.peopleAuditLength },
    retentionMs: config.retentionHours * HOUR_MS,
    ledgerLifeMs: config.ledgerHours * HOUR_MS,
    taskLifeMs: config.taskLifeHours * HOUR_MS,
  };
}
