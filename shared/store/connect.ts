import { Cluster, Redis } from "ioredis";
import type { RedisOptions } from "ioredis";
import { parseRedisUrl } from "#shared/config";
import type { RedisAddress, RedisTls, Secret } from "#shared/config";
import { StoreUnavailableError, StoreUnfitError } from "./errors.ts";
import type { RedisClient } from "./script.ts";

/** Behaviour while Redis is away: `worker` retries for ever, `producer` fails fast, with 503 and no filling queue. */
export type ConnectionRole = "worker" | "producer";

/** Address and credentials of a Redis. */
export interface ConnectionTarget {
  /** A URL in one of the forms that `parseRedisUrl` takes. */
  readonly url: string;
  readonly tls?: RedisTls | null;
  readonly sentinelPassword?: Secret | null;
  readonly onError: (error: Error) => void;
}

const RECONNECT_DELAY_MS_MAX = 2000;
const PRODUCER_TIMEOUT_MS = 5000;

/**
 * Connects to a Redis, a cluster, or the master that sentinels name. @throws {StoreUnfitError} The URL is not valid.
 * @param answerMs - Command timeout of a producer, in ms. Default 5,000. Workers have none.
 */
export function connect(
  target: ConnectionTarget,
  role: ConnectionRole,
  answerMs = PRODUCER_TIMEOUT_MS,
): RedisClient {
  const parsed = parseRedisUrl(target.url);
  if ("problem" in parsed)
    throw new StoreUnfitError(`its address ${parsed.problem}`, "Correct REDIS_URL and start again.");
  const client = open(parsed.address, target, optionsOf(role, answerMs));
  client.on("error", target.onError);
  return client;
}

function optionsOf(role: ConnectionRole, answerMs: number) {
  return {
    maxRetriesPerRequest: role === "worker" ? null : 1,
    enableOfflineQueue: role === "worker",
    retryStrategy: (times: number): number => Math.min(50 * 2 ** Math.min(times, 6), RECONNECT_DELAY_MS_MAX),
    timeouts: role === "producer" ? { commandTimeout: answerMs, connectTimeout: PRODUCER_TIMEOUT_MS } : {},
  };
}

function open(
  address: RedisAddress,
  target: ConnectionTarget,
  role: ReturnType<typeof optionsOf>,
): RedisClient {
  const { timeouts, maxRetriesPerRequest, enableOfflineQueue, retryStrategy } = role;
  const tls = address.isTls ? { tls: tlsOf(target.tls ?? null) } : {};
  const node = {
    ...timeouts,
    ...tls,
    maxRetriesPerRequest,
    enableReadyCheck: true,
    // Users of Redis may not send CLIENT SETINFO, which Redis 7.0 does not know in an ACL.
    disableClientInfo: true,
    ...(address.username === null ? {} : { username: address.username }),
    ...(address.password === null ? {} : { password: address.password }),
  } satisfies RedisOptions;
  const [first = { host: "127.0.0.1", port: 6379 }] = address.nodes;
  switch (address.kind) {
    case "cluster":
      return new Cluster([...address.nodes], {
        redisOptions: node,
        enableOfflineQueue,
        clusterRetryStrategy: retryStrategy,
        // The certificate names the host, not its address.
        ...(address.isTls ? { dnsLookup: (host, done) => done(null, host) } : {}),
      });
    case "sentinel":
      return new BatchingRedis({
        ...node,
        enableOfflineQueue,
        retryStrategy,
        sentinelRetryStrategy: retryStrategy,
        sentinels: [...address.nodes],
        name: address.masterName,
        ...sentinelLogin(target),
        ...(address.isTls ? { enableTLSForSentinelMode: true, sentinelTLS: tls.tls } : {}),
      });
    case "single":
      return new BatchingRedis({
        ...node,
        ...(address.socket === null ? first : { path: address.socket }),
        db: address.database,
        enableOfflineQueue,
        retryStrategy,
      });
  }
}

function sentinelLogin({
  sentinelPassword = null,
}: ConnectionTarget): Pick<RedisOptions, "sentinelPassword"> {
  return sentinelPassword === null ? {} : { sentinelPassword: sentinelPassword.reveal() };
}

/** Verifies certificate chain and host name, whatever `NODE_TLS_REJECT_UNAUTHORIZED` says. */
function tlsOf(tls: RedisTls | null): NonNullable<RedisOptions["tls"]> {
  if (tls === null) return { rejectUnauthorized: true };
  return {
    rejectUnauthorized: true,
    ...(tls.ca === null ? {} : { ca: tls.ca }),
    ...(tls.cert === null ? {} : { cert: tls.cert }),
    ...(tls.key === null ? {} : { key: tls.key.reveal() }),
    ...(tls.servername === null ? {} : { servername: tls.servername }),
  };
}

/** Packet size, about twice what Redis reads at once, in bytes. */
const PACKET_BYTES = 32 * 1024;

/** Sends a turn's commands as one packet at its end: a system call for each cost a third of a worker's CPU. */
class BatchingRedis extends Redis {
  private corked: Redis["stream"] | null = null;

  override sendCommand(...sent: Parameters<Redis["sendCommand"]>): unknown {
    const { stream } = this;
    // There is no stream before the first connection, whatever the type says.
    if (this.corked === null && stream?.writable) {
      this.corked = stream;
      stream.cork();
      process.nextTick(() => {
        this.corked = null;
        stream.uncork();
      });
    }
    const reply = super.sendCommand(...sent);
    // Flushes early in a long turn, so that Redis can begin.
    if (this.corked !== null && this.corked.writableLength >= PACKET_BYTES) {
      this.corked.uncork();
      this.corked.cork();
    }
    return reply;
  }
}

/** Waits until the client is ready. @throws {StoreUnavailableError} It is not within `timeoutMs`. */
export async function waitUntilReady(redis: RedisClient, timeoutMs: number): Promise<void> {
  if (redis.status === "ready") return;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      redis.off("ready", onReady);
      reject(new StoreUnavailableError("connecting"));
    }, timeoutMs);
    const onReady = (): void => {
      clearTimeout(timer);
      resolve();
    };
    redis.once("ready", onReady);
  });
}
