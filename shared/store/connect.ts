import { Cluster, Redis } from "ioredis";
import type { RedisOptions } from "ioredis";
import { parseRedisUrl } from "#shared/config";
import type { RedisAddress, RedisTls, Secret } from "#shared/config";
import { StoreUnavailableError, StoreUnfitError } from "./errors.ts";
import type { RedisClient } from "./script.ts";

/**
 * How a connection behaves when Redis is away. `worker` waits for it for ever (BullMQ demands that); `producer` fails
 * fast, so that a client hears 503 and no memory fills up with waiting commands.
 */
export type ConnectionRole = "worker" | "producer";

/** Where Redis is, and how to be let in. */
export interface ConnectionTarget {
  /** One of the forms that `parseRedisUrl` takes. */
  readonly url: string;
  readonly tls?: RedisTls | null;
  readonly sentinelPassword?: Secret | null;
  readonly onError: (error: Error) => void;
}

const RECONNECT_DELAY_MS_MAX = 2000;
const PRODUCER_TIMEOUT_MS = 5000;

/**
 * Connects to one Redis, to a cluster, or to whoever the sentinels call master.
 *
 * @param answerMs - How long a producer waits for an answer. Default 5,000. Workers wait without a limit.
 * @throws {StoreUnfitError}
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

interface RoleOptions {
  readonly maxRetriesPerRequest: number | null;
  readonly enableOfflineQueue: boolean;
  readonly retryStrategy: (times: number) => number;
  readonly timeouts: Pick<RedisOptions, "commandTimeout" | "connectTimeout">;
}

function optionsOf(role: ConnectionRole, answerMs: number): RoleOptions {
  return {
    maxRetriesPerRequest: role === "worker" ? null : 1,
    enableOfflineQueue: role === "worker",
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 6), RECONNECT_DELAY_MS_MAX),
    timeouts: role === "producer" ? { commandTimeout: answerMs, connectTimeout: PRODUCER_TIMEOUT_MS } : {},
  };
}

function open(address: RedisAddress, target: ConnectionTarget, role: RoleOptions): RedisClient {
  const { timeouts, maxRetriesPerRequest, enableOfflineQueue, retryStrategy } = role;
  const tls = address.isTls ? { tls: tlsOf(target.tls ?? null) } : {};
  const node = {
    ...timeouts,
    ...tls,
    maxRetriesPerRequest,
    enableReadyCheck: true,
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
        // A certificate bears the name, not the number that it stands for.
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

/** An unknown authority is refused, as is a certificate for another name: Node's defaults stay as they are. */
function tlsOf(tls: RedisTls | null): NonNullable<RedisOptions["tls"]> {
  if (tls === null) return {};
  return {
    ...(tls.ca === null ? {} : { ca: tls.ca }),
    ...(tls.cert === null ? {} : { cert: tls.cert }),
    ...(tls.key === null ? {} : { key: tls.key.reveal() }),
    ...(tls.servername === null ? {} : { servername: tls.servername }),
  };
}

/** About twice what Redis reads at once, in bytes. */
const PACKET_BYTES = 32 * 1024;

/**
 * Writes what one turn of the event loop sends as one packet: a third of a busy worker's CPU went into one system call
 * for each command. Nothing waits for it; the packet leaves at the end of the turn in which its first command was sent.
 */
class BatchingRedis extends Redis {
  private corked: Redis["stream"] | null = null;

  override sendCommand(...sent: Parameters<Redis["sendCommand"]>): unknown {
    const { stream } = this;
    // Before the first connection there is none, whatever the type says.
    if (this.corked === null && stream?.writable) {
      this.corked = stream;
      stream.cork();
      process.nextTick(() => {
        this.corked = null;
        stream.uncork();
      });
    }
    const reply = super.sendCommand(...sent);
    // What Redis can begin with should not wait for the rest of a long turn.
    if (this.corked !== null && this.corked.writableLength >= PACKET_BYTES) {
      this.corked.uncork();
      this.corked.cork();
    }
    return reply;
  }
}

/** Waits until the client has answered once. @throws {StoreUnavailableError} It has not within `timeoutMs`. */
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
