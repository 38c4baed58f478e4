import { createRequire } from "node:module";
import { Queue } from "bullmq";
import { connect } from "../connect.ts";
import { AttachedRedisAwayError, AttachedRedisRefusedError } from "../errors.ts";
import { isRedisReply } from "../script.ts";
import type { RedisClient } from "../script.ts";
import type { AttachableQueue } from "./failed-set.ts";

/** A queue of somebody else's, over a connection of its own. */
export interface OpenedQueue {
  readonly queue: AttachableQueue;
  readonly redis: RedisClient;
  /** Returns false if Redis has no key that BullMQ makes for a queue of this name. */
  exists(): Promise<boolean>;
  close(): Promise<void>;
}

// The package's own manifest has its version.
const { version } = createRequire(import.meta.url)("bullmq/package.json") as { readonly version: string };
const engineMajor = Number.parseInt(version, 10);

const ANSWER_MS_DEFAULT = 10_000;
/** Keys of which a queue that was ever opened or used has one, of every release of BullMQ. */
const QUEUE_KEYS = ["meta", "id", "events", "failed", "completed", "wait", "active", "delayed", "repeat"];

/**
 * Connects to somebody else's Redis without waiting, and reconnects for ever. @throws {StoreUnfitError} A bad URL.
 * @param onError - Receives an error once for as long as it is the same, until the connection is ready again.
 */
export function connectAttached(url: string, onError: (error: Error) => void): RedisClient {
  let said = "";
  const report = (error: Error): void => {
    if (error.message === said) return;
    said = error.message;
    onError(error);
  };
  return connect({ url, onError: report }, "worker").on("ready", () => (said = ""));
}

/**
 * Opens a BullMQ queue that exists elsewhere, and waits for the first answer. Writes nothing.
 * @param target.prefix - BullMQ's prefix of keys. Default "bull"; in a cluster it has a hash tag.
 * @param target.answerMs - How long Redis may take to answer at the start, in ms. Default 10,000.
 * @throws {AttachedRedisAwayError | AttachedRedisRefusedError | StoreUnfitError}
 */
export async function openAttached(target: {
  readonly url: string;
  readonly name: string;
  readonly prefix?: string;
  readonly onError: (error: Error) => void;
  readonly answerMs?: number;
}): Promise<OpenedQueue> {
  const { url, name, prefix = "bull", onError, answerMs = ANSWER_MS_DEFAULT } = target;
  let last: Error | null = null;
  const redis = connectAttached(url, (error) => {
    last = error;
    onError(error);
  });
  const giveUp = Promise.withResolvers<never>();
  const timer = setTimeout(() => giveUp.reject(new AttachedRedisAwayError(answerMs, last)), answerMs);
  try {
    await Promise.race([redis.ping(), giveUp.promise]);
  } catch (error) {
    redis.disconnect();
    throw isRedisReply(error) ? new AttachedRedisRefusedError(error) : error;
  } finally {
    clearTimeout(timer);
  }
  const opened = new Queue(name, { connection: redis, prefix, skipMetasUpdate: true });
  const queue = Object.assign(opened, { engineMajor });
  // The connection reports its errors itself; BullMQ says them again.
  queue.on("error", () => undefined);
  return {
    queue,
    redis,
    exists: async () => (await redis.exists(...QUEUE_KEYS.map((key) => queue.toKey(key)))) > 0,
    async close() {
      await queue.close();
      redis.disconnect();
    },
  };
}
