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
  /** Outputs and malformed ones by minute or hour, as the span is, oldest first, the current one last. */
  readonly trend: { readonly outputs: readonly number[]; readonly malformed: readonly number[] };
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
        this.redis.hgetall(this.keys.ward(`rates:${name}:${last - count + 1 + i}`)),
      ),
    );
    const counted = new Map<string, Counted>();
    for (const [place, bucket] of buckets.entries()) {
      for (const [field, text] of Object.entries(bucket)) add(counted, { field, place, places: count, text });
    }
    return [...counted].map(toRate).toSorted((a, b) => b.rate - a.rate || b.outputs - a.outputs);
  }
}

/** By minute or hour. */
interface Counted {
  readonly outputs: number[];
  readonly malformed: number[];
}

/** A field is `g|` or `m|` and the producer's key: well-formed outputs or malformed ones. */
function add(
  counted: Map<string, Counted>,
  one: { readonly field: string; readonly place: number; readonly places: number; readonly text: string },
): void {
  const { field, place, places } = one;
  const key = field.slice(2);
  const zeros = (): number[] => Array.from({ length: places }, () => 0);
  const known = counted.get(key) ?? { outputs: zeros(), malformed: zeros() };
  counted.set(key, known);
  const count = Number(one.text);
  known.outputs[place] = (known.outputs[place] ?? 0) + count;
  if (!field.startsWith("g|")) known.malformed[place] = (known.malformed[place] ?? 0) + count;
}

function toRate([key, trend]: [string, Counted]): ProducerRate {
  const sum = (counts: readonly number[]): number => counts.reduce((total, one) => total + one, 0);
  const outputs = sum(trend.outputs);
  const malformed = sum(trend.malformed);
  return { ...readProducerKey(key), outputs, malformed, rate: malformed / outputs, trend };
}
