import type { RedisClient } from "../script.ts";
import type { AttachableQueue } from "./attached-queue.ts";

/** Recipes for a queue, as JSON texts by id, beside it. */
export class KeptRecipes {
  private readonly redis: RedisClient;
  private readonly key: string;

  constructor(queue: AttachableQueue, redis: RedisClient) {
    this.redis = redis;
    this.key = queue.toKey("suture-ward:recipes");
  }

  /** Adds a recipe. @returns False if there are as many as may be. */
  async add(id: string, text: string, recipesMax: number): Promise<boolean> {
    const isKnown = (await this.redis.hexists(this.key, id)) === 1;
    if (!isKnown && (await this.redis.hlen(this.key)) >= recipesMax) return false;
    await this.redis.hset(this.key, id, text);
    return true;
  }

  list(): Promise<Readonly<Record<string, string>>> {
    return this.redis.hgetall(this.key);
  }

  /** @returns False if there is none of this id. */
  async delete(id: string): Promise<boolean> {
    return (await this.redis.hdel(this.key, id)) === 1;
  }
}
