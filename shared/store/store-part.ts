import type { Keys } from "./keys.ts";
import type { RedisClient } from "./script.ts";

/** A part of a store, which keeps something in its Redis under its keys. */
export class StorePart {
  protected readonly redis: RedisClient;
  protected readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }
}
