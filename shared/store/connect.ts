import { Cluster, Redis } from "ioredis";
import type { RedisOptions } from "ioredis";
import { now } from "#shared/clock";
import { StoreUnavailableError, StoreUnfitError } from "./errors.ts";
import type { RedisClient } from "./script.ts";

/**
 * How a connection behaves when Redis is away. `worker` waits for it for ever (BullMQ demands that); `producer` fails
 * fast, so that a client hears 503 and no memory fills up with waiting commands.
 */
export type ConnectionRole = "worker" | "producer";

const RECONNECT_DELAY_MS_MAX = 2000;

/**
 * Connects to `redis://`, `rediss://`, `redis-cluster://host:port,host:port` or
 * `redis-sentinel://host:port,host:port/<master name>`.
 */
export function connect(url: string, role: ConnectionRole, onError: (error: Error) => void): RedisClient {
  const options = {
    maxRetriesPerRequest: role === "worker" ? null : 1,
    enableOfflineQueue: role === "worker",
    enableReadyCheck: true,
    retryStrategy: (times: number) => Math.min(50 * 2 ** Math.min(times, 6), RECONNECT_DELAY_MS_MAX),
    ...(role === "producer" ? { commandTimeout: 5000, connectTimeout: 5000 } : {}),
  } satisfies RedisOptions;
  const client = open(url, options);
  client.on("error", onError);
  return client;
}

type BaseOptions = Pick<RedisOptions, "commandTimeout" | "connectTimeout"> & {
  readonly maxRetriesPerRequest: number | null;
  readonly enableOfflineQueue: boolean;
  readonly enableReadyCheck: boolean;
  readonly retryStrategy: (times: number) => number;
};

function open(url: string, options: BaseOptions): RedisClient {
  const parsed = new URL(url.replace(/,.*?(?=\/|$)/, ""));
  const nodes = url
    .replace(/^[a-z-]+:\/\/(?:[^@/]*@)?/, "")
    .replace(/\/.*$/, "")
    .split(",")
    .map((node) => {
      const [host = "127.0.0.1", port = "6379"] = node.split(":");
      return { host, port: Number(port) };
    });
  const login = {
    ...(parsed.username === "" ? {} : { username: decodeURIComponent(parsed.username) }),
    ...(parsed.password === "" ? {} : { password: decodeURIComponent(parsed.password) }),
  };
  if (parsed.protocol === "redis-cluster:" || parsed.protocol === "rediss-cluster:") {
    const tls = parsed.protocol === "rediss-cluster:" ? { tls: {} } : {};
    return new Cluster(nodes, {
      redisOptions: {
        maxRetriesPerRequest: options.maxRetriesPerRequest,
        enableReadyCheck: options.enableReadyCheck,
        ...(options.commandTimeout === undefined ? {} : { commandTimeout: options.commandTimeout }),
        ...login,
        ...tls,
      },
      enableOfflineQueue: options.enableOfflineQueue,
      clusterRetryStrategy: options.retryStrategy,
    });
  }
  if (parsed.protocol === "redis-sentinel:") {
    const name = parsed.pathname.slice(1) || "mymaster";
    return new BatchingRedis({ ...options, ...login, sentinels: nodes, name });
  }
  return new BatchingRedis(url, options);
}

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
    return super.sendCommand(...sent);
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

/** Clocks further apart than this make expiry and retention lie. */
export const CLOCK_SKEW_MS_MAX = 2000;

/**
 * Refuses a Redis that would evict counted messages, and a clock that differs from Redis time by more than 2 s.
 *
 * @throws {StoreUnfitError} saying which, and what to do.
 */
export async function checkRedisIsFit(redis: RedisClient): Promise<void> {
  const memory = parseInfo(await redis.info("memory"));
  const policy = memory.get("maxmemory_policy");
  if (policy !== undefined && policy !== "noeviction") {
    throw new StoreUnfitError(
      `its maxmemory-policy is ${policy}, which evicts messages that must not be lost`,
      "Set maxmemory-policy to noeviction.",
    );
  }
  const before = now();
  const [seconds, micros] = await redis.time();
  const redisMs = Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  const after = now();
  const skewMs = redisMs < before ? redisMs - before : Math.max(0, redisMs - after);
  if (Math.abs(skewMs) > CLOCK_SKEW_MS_MAX) {
    throw new StoreUnfitError(
      `its clock and this machine's differ by ${Math.round(skewMs)} ms, more than ${CLOCK_SKEW_MS_MAX}`,
      "Synchronise the clocks (NTP) and start again.",
    );
  }
}

function parseInfo(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of text.split("\r\n")) {
    const colon = line.indexOf(":");
    if (colon > 0) found.set(line.slice(0, colon), line.slice(colon + 1));
  }
  return found;
}
