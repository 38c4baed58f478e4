import { ConfigError } from "#shared/config";
import type { Config, RedisTls, Secret } from "#shared/config";
import type { ArchiveReader } from "./archive/archive-reader.ts";
import type { ReplicationOptions } from "./confirmation.ts";
import type { ConnectionRole } from "./connect.ts";

/** Limits of what the store keeps for reading only. They never affect messages that are still counted. */
export interface StoreBounds {
  /** Finished jobs kept per queue. Default 20,000. */
  readonly finishedJobsMax: number;
  /** Approximate length of each queue's event stream, for debugging only. Default 1,000. */
  readonly eventStreamLength: number;
  /** Log entries of one run; later ones are counted, not kept. Default 5,000. */
  readonly runLogLength: number;
  /** Lines of the ward's audit. Default 10,000. */
  readonly auditLength: number;
  /** Records of people's actions. Default 1,000,000. */
  readonly peopleAuditLength: number;
}

export const STORE_BOUNDS_DEFAULT: StoreBounds = {
  finishedJobsMax: 20_000,
  eventStreamLength: 1000,
  runLogLength: 5000,
  auditLength: 10_000,
  peopleAuditLength: 1_000_000,
};

export interface StoreOptions {
  readonly url: string;
  /** Address of each shard, the first one's as in `url`; on a cluster the same for all. Default: one shard. */
  readonly shardUrls?: readonly string[];
  /** Default: Node's own, if the URL says TLS. */
  readonly tls?: RedisTls | null;
  /** Password for the sentinels; the master's credentials are in the URL. Default: none. */
  readonly sentinelPassword?: Secret | null;
  /** Replicas that must confirm a write before it is published. Default null: none. */
  readonly replication?: ReplicationOptions | null;
  /** True where Redis syncs each write: what one turn writes is then one script. Default: false. */
  readonly groupsWrites?: boolean;
  readonly prefix: string;
  readonly role: ConnectionRole;
  /** Command timeout of a producer, in ms. Default 5,000. Workers have none. */
  readonly answerMs?: number;
  /** Retention of ended runs, finished jobs and idempotency keys, in ms. */
  readonly retentionMs: number;
  /** Deduplication window of a settled message, in ms; longer if it expires later. At most the retention. */
  readonly ledgerLifeMs: number;
  /** Default message lifetime (TTL), in ms; also the minimum for messages that leave the ward. */
  readonly taskLifeMs?: number;
  /** Reads what has left Redis. Default: nothing is looked for elsewhere. */
  readonly archive?: ArchiveReader | null;
  /** Limits of what is kept for reading only. Default: `STORE_BOUNDS_DEFAULT`. */
  readonly bounds?: Partial<StoreBounds>;
  readonly onError: (error: Error) => void;
}

const HOUR_MS = 3_600_000;

/** Returns the store options that all services derive from the configuration. @throws {ConfigError} Without a Redis. */
export function storeSettings(
  config: Config,
  redisUrl = config.redisUrl,
): Omit<StoreOptions, "role" | "onError"> {
  if (redisUrl === null) {
    const problem = "must be set for a single service";
    throw new ConfigError([{ variable: "REDIS_URL", problem, example: "redis://127.0.0.1:6379" }]);
  }
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
    groupsWrites: config.redisDurability === "durable",
    prefix: config.prefix,
    bounds: { finishedJobsMax: config.finishedJobsMax, peopleAuditLength: config.peopleAuditLength },
    retentionMs: config.retentionHours * HOUR_MS,
    ledgerLifeMs: config.ledgerHours * HOUR_MS,
    taskLifeMs: config.taskLifeHours * HOUR_MS,
  };
}
