import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";
import { readHandoffKey } from "./handoff-key.ts";
import type { HandoffPair } from "./handoff-key.ts";
import { readBuckets } from "./read-buckets.ts";
import type { RateSpan } from "./read-buckets.ts";

/** Results of the handoffs of one pair in a time span. */
export interface HandoffRate extends HandoffPair {
  /** The receiver did its part. */
  readonly done: number;
  /** Refused, dead, expired or otherwise ended; a repaired one counts again as done. */
  readonly failed: number;
  /** Counts by minute or hour, depending on the span, oldest first, the current one last. */
  readonly trend: { readonly done: readonly number[]; readonly failed: readonly number[] };
}

/** Success and failure rates of handoffs between agents, by minute for an hour and by hour for two days. */
export class HandoffRates {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  /** Returns the rates of all pairs. Pairs beyond the limit are summed under the sender `others`. */
  async read(span: RateSpan): Promise<HandoffRate[]> {
    const counted = await readBuckets(this.redis, span, (bucket) => this.keys.feedback(`handoffs:${bucket}`));
    const pairs = new Set([...counted.keys()].map((field) => field.slice(2)));
    return [...pairs].map((pair) => {
      const done = counted.get(`d|${pair}`) ?? [];
      const failed = counted.get(`f|${pair}`) ?? [];
      return { ...readHandoffKey(pair), done: sum(done), failed: sum(failed), trend: { done, failed } };
    });
  }
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, one) => total + one, 0);
}
