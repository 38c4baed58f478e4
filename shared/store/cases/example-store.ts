import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { isObjectWith, readJson } from "../read-fields.ts";
import type { RedisClient } from "../script.ts";

/** A successful repair, shown to models as an example. Opaque here; the ward's rooms define its form. */
export interface StoredExample {
  readonly case_id: string;
  /** Contains no text of a message. */
  readonly example: unknown;
}

/** The messages that an example may be shown for. */
export interface ExampleScope {
  readonly agent: string;
  readonly contract: string;
}

/** Maximum examples per agent and contract; the oldest is dropped. */
const EXAMPLES_MAX = 20;

/** Latest successful repairs per agent and contract, used as few-shot examples for the next repair. */
export class ExampleStore {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  /** Stores an example. Idempotent. @param lifeMs - Time to live of the list after the last example, in ms. */
  async keep(scope: ExampleScope, example: StoredExample, lifeMs: number): Promise<void> {
    const key = this.keyOf(scope);
    await this.redis
      .multi()
      .zadd(key, now(), JSON.stringify(example))
      .zremrangebyrank(key, 0, -EXAMPLES_MAX - 1)
      .pexpire(key, lifeMs)
      .exec();
  }

  /** Returns the examples, newest first. */
  async of(scope: ExampleScope): Promise<StoredExample[]> {
    const texts = await this.redis.zrevrange(this.keyOf(scope), 0, EXAMPLES_MAX - 1);
    // Written by `keep`; an unreadable one is skipped.
    return texts.map(readJson).filter((example) => isObjectWith(example)) as StoredExample[];
  }

  private keyOf({ agent, contract }: ExampleScope): string {
    return this.keys.ward(`examples:${agent}/${contract}`);
  }
}
