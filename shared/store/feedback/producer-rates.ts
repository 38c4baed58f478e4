import { now } from "#shared/clock";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../script.ts";
import { readProducerKey } from "./producer-key.ts";
import type { ProducerOfOutput } from "./producer-key.ts";

/** What one producer made in a time. */
export interface ProducerRate extends ProducerOfOutput {
  /** Outputs, malformed ones included. */
  readonly outputs: number;
  /** Outputs that became dead letters because of their form or content. */
  readonly malformed: number;
  /** `malformed` of `outputs`, 0 to 1. */
  readonly rate: number;
}

/** `hour`: the last 60 minutes; `two_days`: the last 48 hours. The minute or hour that runs is the last of them. */
export const RATE_SPANS = ["hour", "two_days"] as const;

export type RateSpan = (typeof RATE_SPANS)[number];

const BUCKETS = {
  hour: { name: "m", bucketMs: 60_000, count: 60 },
  two_days: { name: "h", bucketMs: 3_600_000, count: 48 },
} as const;

/** How much of what producers make is malformed, counted by minute for an hour and by hour for two days. */
export class ProducerRates {
  private readonly redis: RedisClient;
  private readonly keys: Keys;

  constructor(redis: RedisClient, keys: Keys) {
    this.redis = redis;
    this.keys = keys;
  }

  /** The worst first. */
  async read(span: RateSpan): Promise<ProducerRate[]> {
    const { name, bucketMs, count } = BUCKETS[span];
    const last = Math.floor(now() / bucketMs);
    const buckets = await Promise.all(
      Array.from({ length: count }, (_, i) =>
        this.redis.hgetall(this.keys.ward(`rates:${name}:${last - i}`)),
      ),
    );
    const sums = new Map<string, { good: number; malformed: number }>();
    for (const [field, text] of buckets.flatMap((bucket) => Object.entries(bucket))) {
      const key = field.slice(2);
      const sum = sums.get(key) ?? { good: 0, malformed: 0 };
      if (field.startsWith("g|")) sum.good += Number(text);
      else sum.malformed += Number(text);
      sums.set(key, sum);
    }
    return [...sums].map(toRate).toSorted((a, b) => b.rate - a.rate || b.outputs - a.outputs);
  }
}

function toRate([key, { good, malformed }]: [string, { good: number; malformed: number }]): ProducerRate {
  const outputs = good + malformed;
  return { ...readProducerKey(key), outputs, malformed, rate: malformed / outputs };
}
