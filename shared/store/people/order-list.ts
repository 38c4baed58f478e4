import type { Keys } from "../keys.ts";
import { replaceOrder } from "../scripts/people.ts";
import type { RedisClient } from "../script.ts";

/** What people ordered to hold until they order otherwise, as texts by what it is about; `shared/people` reads them. */
export class OrderList {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor({ redis, keys }: { readonly redis: RedisClient; readonly keys: Keys }) {
    this.redis = redis;
    this.keys = keys;
  }

  async read(): Promise<Readonly<Record<string, string>>> {
    return this.redis.hgetall(this.keys.people("orders"));
  }

  /** Writes an order in the place of the one that was read, unless another one was written meanwhile. */
  async replace(
    about: string,
    { from, to }: { readonly from: string | null; readonly to: string },
  ): Promise<void> {
    await replaceOrder.run(this.redis, { orders: this.keys.people("orders"), about, seen: from, order: to });
  }

  async write(about: string, order: string): Promise<void> {
    await this.redis.hset(this.keys.people("orders"), about, order);
  }
}
