import { Queue } from "bullmq";
import { connect } from "../connect.ts";
import type { RedisClient } from "../script.ts";
import type { AttachableQueue } from "./attached-queue.ts";

/** A queue of somebody else's, over connections of its own. */
export interface OpenedQueue {
  readonly queue: AttachableQueue;
  readonly redis: RedisClient;
  close(): Promise<void>;
}

/**
 * Opens a BullMQ queue that exists elsewhere.
 *
 * @param target.prefix - BullMQ's prefix of keys. Default "bull"; in a cluster it has a hash tag.
 * @throws {StoreUnfitError} The URL is not valid.
 */
export function openAttached(target: {
  readonly url: string;
  readonly name: string;
  readonly prefix?: string;
  readonly onError: (error: Error) => void;
}): OpenedQueue {
  const { url, name, prefix = "bull", onError } = target;
  const redis = connect({ url, onError }, "worker");
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
