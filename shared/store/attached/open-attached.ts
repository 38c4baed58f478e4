import { Queue } from "bullmq";
import { connect } from "../connect.ts";
import { StoreUnavailableError } from "../errors.ts";
import type { RedisClient } from "../script.ts";
import type { AttachableQueue } from "./attached-queue.ts";

/** A queue of somebody else's, over a connection of its own. */
export interface OpenedQueue {
  readonly queue: AttachableQueue;
  readonly redis: RedisClient;
  close(): Promise<void>;
}

/** How long Redis may take to answer at the start, in ms. */
const ANSWERS_WITHIN_MS = 10_000;

/**
 * Connects to a Redis of somebody else's. Does not wait for it, and reconnects for ever.
 *
 * @throws {StoreUnfitError} The URL is not valid.
 */
export function connectAttached(url: string, onError: (error: Error) => void): RedisClient {
  return connect({ url, onError }, "worker");
}

/**
 * Opens a BullMQ queue that exists elsewhere, and waits for the first answer. Writes nothing.
 *
 * @param target.prefix - BullMQ's prefix of keys. Default "bull"; in a cluster it has a hash tag.
 * @throws {StoreUnavailableError} Redis does not answer within 10 s.
 * @throws {StoreUnfitError} The URL is not valid.
 */
export async function openAttached(target: {
  readonly url: string;
  readonly name: string;
  readonly prefix?: string;
  readonly onError: (error: Error) => void;
}): Promise<OpenedQueue> {
  const { url, name, prefix = "bull", onError } = target;
  const redis = connectAttached(url, onError);
  const giveUp = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => giveUp.reject(new StoreUnavailableError("opening the queue")),
    ANSWERS_WITHIN_MS,
  );
  try {
    await Promise.race([redis.ping(), giveUp.promise]);
  } catch (error) {
    redis.disconnect();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  const queue = new Queue(name, { connection: redis, prefix, skipMetasUpdate: true });
  queue.on("error", onError);
  return {
    queue,
    redis,
    async close() {
      await queue.close();
      redis.disconnect();
    },
  };
}
