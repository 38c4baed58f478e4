import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import { isObjectWith, readJson } from "../read-fields.ts";
import type { RedisClient } from "../script.ts";

/** A repair that healed, as it may be shown beside another message. Opaque here; the ward's rooms give it its form. */
export interface StoredExample {
  readonly case_id: string;
  /** Holds nothing that a message said. */
  readonly example: unknown;
}

/** Which messages an example may be shown beside. */
export interface ExampleScope {
  readonly agent: string;
  readonly contract: string;
}

/** Examples kept for one agent and contract; the oldest goes for a new one. */
const EXAMPLES_MAX = 20;

/** The latest repairs of each agent and contract that taught something, for whoever repairs the next message. */
export class ExampleStore {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  /** Twice is once. @param lifeMs - They are forgotten this long after the last one came. */
  async keep(scope: ExampleScope, example: StoredExample, lifeMs: number): Promise<void> {
    const key = this.keyOf(scope);
    await this.redis
      .multi()
      .zadd(key, now(), JSON.stringify(example))
      .zremrangebyrank(key, 0, -EXAMPLES_MAX - 1)
      .pexpire(key, lifeMs)
      .exec();
  }

  /** Newest first. */
  async of(scope: ExampleScope): Promise<StoredExample[]> {
    const texts = await this.redis.zrevrange(this.keyOf(scope), 0, EXAMPLES_MAX - 1);
    // Written by `keep`; one that cannot be read teaches nobody.
    return texts.map(readJson).filter((example) => isObjectWith(example)) as StoredExample[];
  }

  private keyOf({ agent, contract }: ExampleScope): string {
    return this.keys.ward(`examples:${agent}/${contract}`);
  }
}
