import { StorePart } from "../store-part.ts";

/** Standing orders of people (pauses) as texts by subject; `shared/people` parses them. */
export class OrderList extends StorePart {
  async read(): Promise<Readonly<Record<string, string>>> {
    return this.redis.hgetall(this.keys.people("orders"));
  }

  async write(about: string, order: string): Promise<void> {
    await this.redis.hset(this.keys.people("orders"), about, order);
  }
}
