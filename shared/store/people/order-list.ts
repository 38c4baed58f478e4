import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";
import { StorePart } from "../store-part.ts";

/** Standing orders of people (pauses) as texts by subject; `shared/people` parses them. */
export class OrderList extends StorePart {
  constructor({ redis, keys }: { readonly redis: RedisClient; readonly keys: Keys }) {
    super(redis, keys);
  }

  async read(): Promise<Readonly<Record<string, string>>> {
    return this.redis.hgetall(this.keys.people("orders"));
  }

  async write(about: string, order: string): Promise<void> {
    await this.redis.hset(this.keys.people("orders"), about, order);
  }
}
