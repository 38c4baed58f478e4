import { now } from "#shared/clock";
import type { RedisClient } from "../script.ts";

/** `hour`: the last 60 minutes; `two_days`: the last 48 hours. The last bucket is the current one. */
export const RATE_SPANS = ["hour", "two_days"] as const;

export type RateSpan = (typeof RATE_SPANS)[number];

const BUCKETS = {
  hour: { name: "m", bucketMs: 60_000, count: 60 },
  two_days: { name: "h", bucketMs: 3_600_000, count: 48 },
} as const;

/** Counts of each field by minute or hour, oldest first. */
export type BucketCounts = ReadonlyMap<string, readonly number[]>;

/**
 * Reads the counts that `output-rates.lua` writes. @param keyOf - Returns the key of a bucket by its name and number.
 */
export async function readBuckets(
  redis: RedisClient,
  span: RateSpan,
  keyOf: (bucket: string) => string,
): Promise<BucketCounts> {
  const { name, bucketMs, count } = BUCKETS[span];
  const first = Math.floor(now() / bucketMs) - count + 1;
  const buckets = await Promise.all(
    Array.from({ length: count }, (_, i) => redis.hgetall(keyOf(`${name}:${first + i}`))),
  );
  const counted = new Map<string, number[]>();
  for (const [place, bucket] of buckets.entries()) {
    for (const [field, text] of Object.entries(bucket)) {
      const counts = counted.get(field) ?? Array.from({ length: count }, () => 0);
      counts[place] = Number(text);
      counted.set(field, counts);
    }
  }
  return counted;
}
